/* From the wire.toml of plugins/pods, by tools/pod_wire.py: change that, not this. */
#ifndef POD_WIRE_H
#define POD_WIRE_H

#define WIRE_LEVEL 1
#define WIRE_BAUD 500000UL
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 3
#define FIRMWARE_PATCH 0
#define WIRE_WINDOW 2
#define WIRE_SPAN_BYTES 64
#define WIRE_PAYLOAD_BYTES 66
#define WIRE_PRESSES 8
#define WIRE_ASK_MS 1000
#define WIRE_RESEND_MS 40
#define WIRE_DIM_S 120
#define WIRE_BLINK_MS 250
#define WIRE_SLEEP_S 900
#define WIRE_SETTLE_MS 5
#define WIRE_ONE_BOUNCE_MS 8
#define WIRE_HOLD_MS 600
#define CONTROLLER_SSD1306 0
#define CONTROLLER_SH1106 1
#define LAMP_OFF 0
#define LAMP_ON 1
#define LAMP_BLINKS 2

/* Say hello. Sent on opening, then every `ask_ms`: it is the heartbeat too. */
#define WIRE_ASK 0x01
#define WIRE_ASK_LENGTH 0

/* A new session, unless it is in it: both count from 1, old presses fall. Answer: hello. */
#define WIRE_BEGIN 0x02
#define WIRE_BEGIN_SESSION 0
#define WIRE_BEGIN_LENGTH 2

/* Columns of one page (eight rows) from `start` on, bit 0 on top. */
#define WIRE_SPAN 0x03
#define WIRE_SPAN_PAGE 0
#define WIRE_SPAN_START 1
#define WIRE_SPAN_DOTS 2
#define WIRE_SPAN_LENGTH_LEAST 3

/* The spans sent make this picture; presses name it from now on. 0: no picture. */
#define WIRE_PICTURE 0x04
#define WIRE_PICTURE_PICTURE 0
#define WIRE_PICTURE_LENGTH 2

/* The pod's lamp (a number of [lamps]), and a sound of so many times 10 ms. */
#define WIRE_SIGNAL 0x05
#define WIRE_SIGNAL_LAMP 0
#define WIRE_SIGNAL_BEEP 1
#define WIRE_SIGNAL_LENGTH 2

/* A button's level counts once steady for so many ms, in this session. Since firmware 1.2. */
#define WIRE_SETTLE 0x08
#define WIRE_SETTLE_STEADY 0
#define WIRE_SETTLE_LENGTH 1

/* 1: presses come as `felt`, in this session; 0: no more. Since firmware 1.3. */
#define WIRE_TELL 0x09
#define WIRE_TELL_BOUNCES 0
#define WIRE_TELL_LENGTH 1

/* Keep the pod's number (1 to 99) and its screen's controller for good. Answer: hello. */
#define WIRE_SETUP 0x06
#define WIRE_SETUP_POD 0
#define WIRE_SETUP_CONTROLLER 1
#define WIRE_SETUP_LENGTH 2

/* All presses up to this number have been noted. */
#define WIRE_NOTED 0x07
#define WIRE_NOTED_LENGTH 0

/* What and how it is; `session`, `screen` (its starts) 0: none; `down`: bit 0 is button 1. */
#define WIRE_HELLO 0x81
#define WIRE_HELLO_LEVEL 0
#define WIRE_HELLO_MAJOR 1
#define WIRE_HELLO_MINOR 2
#define WIRE_HELLO_PATCH 3
#define WIRE_HELLO_SESSION 4
#define WIRE_HELLO_POD 6
#define WIRE_HELLO_CONTROLLER 7
#define WIRE_HELLO_SCREEN 8
#define WIRE_HELLO_DOWN 9
#define WIRE_HELLO_OVERRUNS 10
#define WIRE_HELLO_DAMAGED 11
#define WIRE_HELLO_LENGTH 12

/* Button 1 to 6 was released after `held` ms (at most 65535), pressed on `picture`. */
#define WIRE_PRESS 0x82
#define WIRE_PRESS_BUTTON 0
#define WIRE_PRESS_HELD 1
#define WIRE_PRESS_PICTURE 3
#define WIRE_PRESS_LENGTH 5

/* A press, counted as those, whose contact bounced so many ms (at most 255). */
#define WIRE_FELT 0x84
#define WIRE_FELT_BUTTON 0
#define WIRE_FELT_HELD 1
#define WIRE_FELT_PICTURE 3
#define WIRE_FELT_BOUNCED 5
#define WIRE_FELT_LENGTH 6

/* All numbered messages up to this number have been acted on. */
#define WIRE_TAKEN 0x83
#define WIRE_TAKEN_LENGTH 0

#endif
