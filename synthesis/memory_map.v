// SPDX-License-Identifier: Apache-2.0
// Keeps a memory as one cell, heddle_memory, with the pins of its ports, for reports of storage and timing.
//
// Yosys applies this to $mem_v2 (techmap). Reads are asynchronous, as in the RTL: registers behind them stay flip-flops.
// What has more ports than `MAX_READS or `MAX_WRITES is no memory that one could buy: memory_map makes it flip-flops.
(* techmap_celltype = "$mem_v2" *)
module heddle_memory_map (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
  parameter MEMID = "";
  parameter signed SIZE = 4;
  parameter signed OFFSET = 0;
  parameter signed ABITS = 2;
  parameter signed WIDTH = 8;
  parameter signed INIT = 1'bx;
  parameter signed RD_PORTS = 1;
  parameter RD_CLK_ENABLE = 1'b0;
  parameter RD_CLK_POLARITY = 1'b0;
  parameter RD_TRANSPARENCY_MASK = 1'b0;
  parameter RD_COLLISION_X_MASK = 1'b0;
  parameter RD_WIDE_CONTINUATION = 1'b0;
  parameter RD_CE_OVER_SRST = 1'b0;
  parameter RD_ARST_VALUE = 1'b0;
  parameter RD_SRST_VALUE = 1'b0;
  parameter RD_INIT_VALUE = 1'b0;
  parameter signed WR_PORTS = 1;
  parameter WR_CLK_ENABLE = 1'b1;
  parameter WR_CLK_POLARITY = 1'b1;
  parameter WR_PRIORITY_MASK = 1'b0;
  parameter WR_WIDE_CONTINUATION = 1'b0;

  input  [RD_PORTS-1:0]       RD_CLK, RD_EN, RD_ARST, RD_SRST;
  input  [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input  [WR_PORTS-1:0]       WR_CLK;
  input  [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
  input  [WR_PORTS*ABITS-1:0] WR_ADDR;

  // A memory of one word has no address: memory_map makes it a register, too.
  wire _TECHMAP_FAIL_ = RD_PORTS > `MAX_READS || WR_PORTS > `MAX_WRITES ||
                        ABITS == 0 || RD_CLK_ENABLE != 0 || WR_CLK_ENABLE != {WR_PORTS{1'b1}};

  heddle_memory #(
    .MEMID(MEMID), .SIZE(SIZE), .ABITS(ABITS), .WIDTH(WIDTH), .RD_PORTS(RD_PORTS), .WR_PORTS(WR_PORTS)
  ) _TECHMAP_REPLACE_ (
    .CLK(WR_CLK[0]), .RD_ADDR(RD_ADDR), .RD_DATA(RD_DATA), .WR_EN(WR_EN), .WR_ADDR(WR_ADDR), .WR_DATA(WR_DATA)
  );
endmodule

(* blackbox *)
module heddle_memory (CLK, RD_ADDR, RD_DATA, WR_EN, WR_ADDR, WR_DATA);
  parameter MEMID = "";
  parameter SIZE = 4;
  parameter ABITS = 2;
  parameter WIDTH = 8;
  parameter RD_PORTS = 1;
  parameter WR_PORTS = 1;
  input                       CLK;
  input  [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input  [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
  input  [WR_PORTS*ABITS-1:0] WR_ADDR;
endmodule
