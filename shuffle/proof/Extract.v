(* The definitions as a program in OCaml, to be compared with the library in C++. *)
From mathcomp Require Import all_ssreflect.
From Talla Require Import Mapping Uniform.
Require Import Extraction ExtrOcamlBasic ExtrOcamlNatBigInt.
(* Trusted here: Coq's extraction; that a nat is a zarith number; and that these are zarith's. *)
Extract Constant addn => "Big_int_Z.add_big_int".
Extract Constant muln => "Big_int_Z.mult_big_int".
Extract Constant divn => "Big_int_Z.div_big_int".
Extract Constant modn => "Big_int_Z.mod_big_int".
Extract Constant expn => "Big_int_Z.power_big_int_positive_big_int".
Extract Constant leq => "Big_int_Z.le_big_int".
Extraction "talla_map.ml" talla_values talla_order.
