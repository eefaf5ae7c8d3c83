// The case of a seat: the screen above the gear gate, 1 3 5 over 2 4 6.
// Everything is in millimetres. Two parts, printed without supports: the shell on its front,
// the bottom as it lies. Print both with:
//   openscad -o shell.stl -D 'part="shell"' seat.scad
//   openscad -o bottom.stl -D 'part="bottom"' seat.scad

part = "both";             // "shell", "bottom" or "both"
screen = "0.96";           // "0.96" or "1.3": the diagonal of the OLED in inches
button_hole = 12.2;        // thread of the push button; 16.2 for the larger ones
pitch_x = 26;              // from gear to gear across the gate
pitch_y = 26;              // from the upper row to the lower
pod = true;                // room and a slot for a Nano and its USB plug; else a cable hole

wall = 2.4;
front = 3;                 // thickness of the front, which carries the buttons
depth = pod ? 38 : 30;     // inside, behind the front
slack = 0.3;               // between two parts that fit into one another
fine = 48;

// Board and glass of the usual modules: width, height, window, holes of the board.
module_size   = screen == "1.3" ? [35.6, 33.7] : [27.5, 28.0];
window_size   = screen == "1.3" ? [31.0, 16.5] : [23.5, 12.5];
window_offset = screen == "1.3" ? 1.5 : 1.9;    // the glass sits above the middle of its board
hole_pitch    = screen == "1.3" ? [30.4, 28.5] : [23.5, 23.8];

inner = [3 * pitch_x + 8, 2 * pitch_y + module_size[1] + 14];
outer = inner + [2 * wall, 2 * wall];
gate_y = -inner[1] / 2 + pitch_y + 6;   // middle of the gate
screen_y = inner[1] / 2 - module_size[1] / 2 - 4;

// All is drawn as seen from the front, x to the right, y up, z into the case; `shell` turns that
// into the part that lies on its front.

// Where the button of a gear stands: odd gears above, even ones below, from left to right.
function place(gear) = [
    (floor((gear - 1) / 2) - 1) * pitch_x,
    gate_y + (gear % 2 == 1 ? 1 : -1) * pitch_y / 2
];

for (gear = [1 : 6]) echo(gear = gear, place = place(gear));

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

module corner_posts(hole) {
    for (x = [-1, 1], y = [-1, 1])
        translate([x * (inner[0] / 2 - 3.5), y * (inner[1] / 2 - 3.5), 0])
            difference() {
                translate([0, 0, front - 0.01]) cylinder(d = 7.5, h = depth - wall, $fn = fine);
                translate([0, 0, front + depth - wall - 14]) cylinder(d = hole, h = 20, $fn = 24);
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
    }
    screen_posts();
    intersection() {
        corner_posts(2.5);
        plate(outer, front + depth - wall - slack);
    }
}

// For the USB plug of a Nano, or for a cable with ten wires.
module opening() {
    translate([0, inner[1] / 2 - 1, front + depth - 16])
        rotate([-90, 0, 0])
            if (pod) translate([-6.5, -5, 0]) cube([13, 10, wall + 3]);
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
    if (pod) nano_rails();
}

// Holds a Nano (45 × 18) by its long edges, its USB plug at the slot.
module nano_rails() {
    for (side = [-1, 1])
        translate([side * (9 + slack + 1) - 1, inner[1] / 2 - 46 - 1, wall - 0.01])
            difference() {
                cube([2, 40, 7]);
                translate([side > 0 ? -0.01 : 1, -1, 3]) cube([1.01, 42, 1.9]);
            }
}

if (part != "bottom") shell();
if (part != "shell") translate(part == "both" ? [outer[0] + 10, 0, 0] : [0, 0, 0]) bottom();
