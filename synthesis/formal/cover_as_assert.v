// SPDX-License-Identifier: Apache-2.0
// A cover as an assertion that it is never reached: its counterexample is the way there. For techmap (scripts/prove).
module \$cover (input A, input EN);
  \$assert reached (.A(~A), .EN(EN));
endmodule
