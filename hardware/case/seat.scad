// The case of a seat: the screen above the gear gate, 1 3 5 over 2 4 6.
// Everything is in millimetres. Two parts, printed without supports: the shell on its front,
// the bottom as it lies. Print both with:
//   openscad -o shell.stl -D 'part="shell"' seat.scad
//   openscad -o bottom.stl -D 'part="bottom"' seat.scad
// `make case` makes those of both kinds of seat. tests/hardware/test_case.py puts the parts in as
// solids, from the places that are echoed here.

part = "both";             // "shell", "bottom" or "both"; "assembly": as it stands; "none"
screen = "0.96";           // "0.96" or "1.3": the diagonal of the OLED in inches
button_hole = 12.2;        // thread of the push button; 16.2 for the larger ones
pitch_x = 26;              // from gear to gear across the gate
pitch_y = 26;              // from the upper row to the lower
pod = true;                // room and a slot for a pod and its USB plug; else a cable hole
carrier = "nano";          // what carries the pod's Nano or Pico: "nano": it is held by its corners; "pico":
                           // by pegs in its holes; "board", "pico-board": its board of hardware/boards
nano_length = 45;          // measure yours: they are 43.2 to 45.4 long

wall = 2.4;
front = 3;                 // thickness of the front, which carries the buttons
depth = pod ? 40 : 30;     // inside, behind the front
slack = 0.3;               // between two parts that fit into one another
fine = 48;

// Board and glass of the usual modules: width, height, window, holes of the board.
module_size   = screen == "1.3" ? [35.6, 33.7] : [27.5, 28.0];
window_size   = screen == "1.3" ? [31.0, 16.5] : [23.5, 12.5];
window_offset = screen == "1.3" ? 1.5 : 1.9;    // the glass sits above the middle of its board
hole_pitch    = screen == "1.3" ? [30.4, 28.5] : [23.5, 23.8];

// The Nano lies over the bottom with its USB socket toward it, so that its pins look into the
// case and wires can be plugged onto them; the socket and the pins for ICSP need the lift.
nano_width = 18;
nano_board = 1.6;
nano_lift = 11;
nano_end = 0.5;                         // from the board's end to the wall with the slot
socket = [7.7, 3.9];
slot = [13, 10];                        // takes the grip of the cable's plug
corner = 3;                             // of the board's length, free of pins at either end

// So does a Pico, its holes over four pegs, melted or glued there as the screen's are.
pico_size = [21, 51, 1];
pico_lift = 11;
pico_holes = [11.4, 47];                // from middle to middle
pico_socket = [7.5, 2.9];
pico_post = 3.6;                        // beside the socket there is no more room

// The pod's printed board lies over the bottom, its parts toward the front, the Nano in its sockets.
// Seen from the front it is turned: the Nano's USB end is at the wall. tests/hardware/test_case.py
// holds these against the board itself.
with_pico = carrier == "pico" || carrier == "pico-board";
board_size = with_pico ? [60.96, 56.896] : [60.96, 53.848];
board_hole = 4.064;                     // from each edge
board_thick = 1.6;
board_lift = 5;                         // what is soldered below needs 3
board_end = 0.5;                        // from its edge to the wall
board_nano = with_pico ? 10.414 : 11.176; // from the board's middle to the Nano's
sockets = 8.5;                          // so high stands the Nano over the board
board_post = 6;
board_screw = 2.5;                      // M3 cuts its own thread

lamp_hole = 5.1;                        // an LED of 5 mm, from behind
buzzer_size = 12.4;

inner = [3 * pitch_x + 8, 2 * pitch_y + module_size[1] + (pod ? 26 : 14)];
outer = inner + [2 * wall, 2 * wall];
gate_y = -inner[1] / 2 + pitch_y + 6;   // middle of the gate
screen_y = inner[1] / 2 - module_size[1] / 2 - 4;
lamp_place = [inner[0] / 2 - 14, screen_y];
buzzer_place = [-lamp_place[0], screen_y];
board_y = inner[1] / 2 - board_end - board_size[1] / 2;
on_board = carrier == "board" || carrier == "pico-board";
// The middle of the socket: over the bottom's inside, and beside the case's middle.
usb = with_pico ? pico_socket : socket;
plug_height = on_board ? board_lift + board_thick + sockets + (with_pico ? pico_size[2] : nano_board) + usb[1] / 2
                       : (with_pico ? pico_lift : nano_lift) - usb[1] / 2;
plug_place = on_board ? board_nano : 0;

// All is drawn as seen from the front, x to the right, y up, z into the case; `shell` turns that
// into the part that lies on its front.

// Where the button of a gear stands: odd gears above, even ones below, from left to right.
function place(gear) = [
    (floor((gear - 1) / 2) - 1) * pitch_x,
    gate_y + (gear % 2 == 1 ? 1 : -1) * pitch_y / 2
];

for (gear = [1 : 6]) echo(gear = gear, place = place(gear));
echo(inner = inner, depth = depth, front = front, wall = wall, button_hole = button_hole);
echo(screen_y = screen_y, oled = module_size, window = window_size, offset = window_offset);
if (pod) echo(nano = [nano_width, nano_length, nano_board], lift = nano_lift, end = nano_end);
if (pod) echo(pico = pico_size, pegs = pico_holes, pico_lift = pico_lift, socket = usb);
if (pod) echo(lamp = lamp_place, buzzer = buzzer_place);
if (pod && on_board) echo(board = board_size, hole = board_hole, thick = board_thick);
if (pod && on_board) echo(raised = board_lift, middle = board_y, plug = [plug_place, plug_height], sockets_high = sockets);

assert(pitch_x >= button_hole + 8 && pitch_y >= button_hole + 8, "fingers need room between buttons");
assert(screen_y - module_size[1] / 2 > gate_y + pitch_y / 2 + button_hole / 2 + 1, "the screen is over the gate");

module plate(size, height, radius = 4) {
    linear_extrude(height)
        offset(radius, $fn = fine)
            square([size[0] - 2 * radius, size[1] - 2 * radius], center = true);
}

// The H of a gear lever's gate, cut a little into the front.
module gate_groove() {
    for (column = [-1 : 1])
        translate([column * pitch_x - 0.6, gate_y - pitch_y / 2, -0.01])
            cube([1.2, pitch_y, 0.61]);
    translate([-pitch_x, gate_y - 0.6, -0.01]) cube([2 * pitch_x, 1.2, 0.61]);
}

module numbers() {
    for (gear = [1 : 6])
        translate([place(gear)[0] + button_hole / 2 + 3.2, place(gear)[1] + button_hole / 2, -0.01])
            linear_extrude(0.61)
                text(str(gear), size = 5, halign = "center", valign = "center", $fn = fine);
}

module screen_posts() {
    for (x = [-0.5, 0.5], y = [-0.5, 0.5])
        translate([x * hole_pitch[0], screen_y + y * hole_pitch[1], front - 0.01])
            cylinder(d = 1.8, h = 3.5, $fn = 24);
}

// They end where the bottom begins: it is screwed onto them, not bent to them.
module corner_posts(hole) {
    for (x = [-1, 1], y = [-1, 1])
        translate([x * (inner[0] / 2 - 3.5), y * (inner[1] / 2 - 3.5), 0])
            difference() {
                translate([0, 0, front - 0.01]) cylinder(d = 7.5, h = depth, $fn = fine);
                translate([0, 0, front + depth - 12]) cylinder(d = hole, h = 20, $fn = 24);
            }
}

// A hole for the lamp, and a grille for the sound.
module signs() {
    translate([lamp_place[0], lamp_place[1], -1]) cylinder(d = lamp_hole, h = front + 2, $fn = fine);
    for (turn = [0 : 60 : 300])
        translate([buzzer_place[0], buzzer_place[1], -1]) {
            cylinder(d = 2, h = front + 2, $fn = 24);
            rotate(turn) translate([3.5, 0, 0]) cylinder(d = 2, h = front + 2, $fn = 24);
        }
}

// Holds the buzzer behind its grille.
module buzzer_ring() {
    translate([buzzer_place[0], buzzer_place[1], front - 0.01])
        difference() {
            cylinder(d = buzzer_size + 3, h = 5, $fn = fine);
            translate([0, 0, -1]) cylinder(d = buzzer_size, h = 7, $fn = fine);
        }
}

// Lies on its front, as it is printed: what is right from the front is left from behind.
module shell() mirror([1, 0, 0]) front_and_walls();

module front_and_walls() {
    difference() {
        plate(outer, front + depth);
        translate([0, 0, front]) plate(inner, depth + 1, 3);
        for (gear = [1 : 6])
            translate([place(gear)[0], place(gear)[1], -1])
                cylinder(d = button_hole, h = front + 2, $fn = fine);
        translate([-window_size[0] / 2, screen_y + window_offset - window_size[1] / 2, -1])
            cube([window_size[0], window_size[1], front + 2]);
        gate_groove();
        numbers();
        opening();
        if (pod) signs();
    }
    screen_posts();
    if (pod) buzzer_ring();
    intersection() {
        corner_posts(2.5);
        plate(outer, front + depth);
    }
}

// For the USB plug of a Nano, or for a cable with twelve wires.
module opening() {
    translate([pod ? plug_place : 0, inner[1] / 2 - 1, front + depth - (pod ? plug_height : 16)])
        rotate([-90, 0, 0])
            if (pod) translate([-slot[0] / 2, -slot[1] / 2, 0]) cube([slot[0], slot[1], wall + 3]);
            else cylinder(d = 8, h = wall + 3, $fn = fine);
}

module bottom() {
    difference() {
        plate(outer, wall);
        for (x = [-1, 1], y = [-1, 1])
            translate([x * (inner[0] / 2 - 3.5), y * (inner[1] / 2 - 3.5), -1]) {
                cylinder(d = 3.2, h = wall + 2, $fn = 24);
                cylinder(d1 = 6.2, d2 = 3.2, h = 2.2, $fn = 24);
            }
    }
    if (pod && on_board) board_posts();
    if (pod && carrier == "nano") nano_rails();
    if (pod && carrier == "pico") pico_posts();
}

// Four posts with holes for screws M3×6, under the corners of the board.
module board_posts() {
    for (x = [-1, 1], y = [-1, 1])
        translate([x * (board_size[0] / 2 - board_hole), board_y + y * (board_size[1] / 2 - board_hole), wall - 0.01])
            difference() {
                cylinder(d = board_post, h = board_lift + 0.01, $fn = fine);
                translate([0, 0, -1]) cylinder(d = board_screw, h = board_lift + 2, $fn = 24);
            }
}

// Four posts under the holes of a Pico, which lies on its face as the Nano does.
module pico_posts() {
    middle = inner[1] / 2 - nano_end - pico_size[1] / 2;
    for (x = [-1, 1], y = [-1, 1])
        translate([x * pico_holes[0] / 2, middle + y * pico_holes[1] / 2, wall - 0.01]) {
            cylinder(d1 = 6, d2 = pico_post, h = pico_lift - pico_socket[1] + 0.01, $fn = fine);
            cylinder(d = pico_post, h = pico_lift + 0.01, $fn = fine);
            cylinder(d = 1.8, h = pico_lift + pico_size[2] + 1.5, $fn = 24);
        }
}

// Holds a Nano by its four corners, where it has no pins: at the plug's end under two lips, at the
// other under a finger that gives way when the board is pressed down.
module nano_rails() {
    plug_end = inner[1] / 2 - nano_end;
    for (side = [-1, 1]) {
        nano_corner(side, plug_end - corner, plug_end, lip = true);
        nano_corner(side, plug_end - nano_length, plug_end - nano_length + corner, lip = false);
    }
    translate([-5, plug_end - nano_length - slack, wall - 0.01]) nano_finger();
}

// A post under a corner of the board, with a cheek beside it; a lip holds the board down.
module nano_corner(side, from, to, lip) {
    half = nano_width / 2;
    inside = half - 3.5;                       // beside the socket there is so much room
    top = wall + nano_lift;
    low = side > 0 ? inside : -half - slack - 2;
    translate([low, from, wall - 0.01]) {
        cube([half + slack + 2 - inside, to - from, nano_lift + 0.01]);
    }
    translate([side > 0 ? half + slack : -half - slack - 2, from, wall - 0.01])
        cube([2, to - from, nano_lift + nano_board + slack + 2]);
    if (lip) translate([low, to - 1.8, top + nano_board + slack])
        cube([half + slack + 2 - inside, 1.8, 2]);
    // The board's end: it can go no further than the wall lets it.
    if (!lip) translate([low, from - slack - 1.6, wall - 0.01])
        cube([half + slack + 2 - inside, 1.6, nano_lift + nano_board]);
}

// A springy wall behind the board's end, with a nose over it.
module nano_finger() {
    height = nano_lift + nano_board + slack;
    rotate([90, 0, 90])
        linear_extrude(10)
            polygon([[0, 0], [0, height], [1.1, height], [0, height + 2.5], [-1.8, height + 2.5], [-1.8, 0]]);
}

// The bottom turned over, onto the rim of the shell.
module closed_bottom() translate([0, 0, front + depth + wall]) rotate([0, 180, 0]) bottom();

if (part == "shell" || part == "both") shell();
if (part == "bottom" || part == "both")
    translate(part == "both" ? [outer[0] + 10, 0, 0] : [0, 0, 0]) bottom();
if (part == "assembly") {
    shell();
    closed_bottom();
}
