(* What each theorem rests on: nothing ("Closed under the global context"). *)
From Talla Require Import Uniform.
Print Assumptions each_digit_vector_has_as_many_words.
Print Assumptions batches_partition.
Print Assumptions each_draw_has_as_many_tapes.
Print Assumptions each_draw_is_reached.
Print Assumptions each_order_has_one_digit_vector.
Print Assumptions each_order_has_as_many_tapes.
Print Assumptions each_arrangement_has_as_many_tapes.
Print Assumptions faces_keep_the_multiset.
Print Assumptions a_uniform_order_stays_uniform_under_any_mixes.
Print Assumptions any_order_is_uniform_under_one_uniform_mix.
Print Assumptions each_value_has_as_many_tapes.
Print Assumptions each_pocket_has_as_many_tapes.
