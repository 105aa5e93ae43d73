(* The same requests as mapped.cpp, answered by the program extracted from shuffle/proof. *)
let z = Z.of_int

(* The tape's words, most significant byte first; a tail shorter than a word is never used. *)
let words hex =
  let hex = if hex = "-" then "" else hex in
  List.init (String.length hex / 16) (fun i -> Z.of_string_base 16 (String.sub hex (16 * i) 16))

let say = function
  | Talla_map.Drawn (values, used, refused, _) ->
      String.concat " " ("drawn" :: List.map Z.to_string (used :: refused :: values))
  | Talla_map.Exhausted -> "exhausted"
  | Talla_map.Fault -> "fault"
  | Talla_map.Refused -> "refused"

let bounds text =
  if text = "-" then [] else List.map Z.of_string (String.split_on_char ',' text)

let answer line =
  match String.split_on_char ' ' line with
  | [ "order"; n; hex ] -> Talla_map.talla_order (Z.of_string n) (words hex)
  | [ "wheel"; n; hex ] -> Talla_map.talla_values (Talla_map.Wheel (Z.of_string n)) (words hex)
  | [ "dice"; k; s; hex ] ->
      Talla_map.talla_values (Talla_map.Dice (Z.of_string k, Z.of_string s)) (words hex)
  | [ "lots"; list; hex ] -> Talla_map.talla_values (Talla_map.Lots (bounds list)) (words hex)
  | _ -> failwith ("no request: " ^ line)

let () =
  try
    while true do
      print_endline (say (answer (input_line stdin)))
    done
  with End_of_file -> ()
