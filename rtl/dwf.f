rtl/common/heddle_pkg.sv
rtl/dwf/thread_swizzle.sv
rtl/dwf/warp_update_register.sv
rtl/dwf/pc_warp_lut.sv
rtl/dwf/warp_allocator.sv
rtl/dwf/warp_pool.sv
rtl/dwf/issue_logic.sv
rtl/dwf/dwf_scheduler.sv
