/* The line to the table: a serial port on USB (CDC ACM), as uart.h has it. The interrupt moves bytes
 * between the endpoints and two rings; while the ring of what came in is full the endpoint is not
 * armed, so the computer waits and nothing is lost. RP2040 data sheet, 4.1; USB 2.0, 9; CDC 1.2. */
#include "usb.h"

#include "../pod/ring.h"
#include "../pod/uart.h"
#include "board.h"
#include "registers.h"

#define ADDRESS 0x00
#define MAIN_CTRL 0x40
#define SIE_CTRL 0x4C
#define SIE_STATUS 0x50
#define BUFF_STATUS 0x58
#define STALL_ARM 0x68
#define MUXING 0x74
#define POWER 0x78
#define INTE 0x90
#define INTS 0x98
#define ON_BUFFER BIT(4)
#define ON_RESET BIT(12)
#define ON_SETUP BIT(16)
#define SIE_RESET BIT(19)
#define SIE_SETUP BIT(17)
#define SIE_PULL_UP BIT(16)
#define SIE_EP0_INTERRUPT BIT(29)

/* An endpoint's two words in the controller's RAM, and where its bytes stand there. */
#define CONTROL(endpoint, out) REGISTER(USB_RAM + 8 * (endpoint) + 4 * (out))
#define BUFFER(endpoint, out) REGISTER(USB_RAM + 0x80 + 8 * (endpoint) + 4 * (out))
#define BUFFER_OF(endpoint, out) BIT(2 * (endpoint) + (out))
#define SETUP_AT 0x000
#define EP0_AT 0x100
#define IN_AT 0x180
#define OUT_AT 0x1C0
#define NOTICE_AT 0x200
#define ENDPOINT_ON BIT(31)
#define EACH_BUFFER BIT(29)
#define TYPE(number) ((uint32_t)(number) << 26)
#define FULL BIT(15)
#define DATA1 BIT(13)
#define STALL BIT(11)
#define AVAILABLE BIT(10)
#define LENGTH 0x3FF
#define PACKET 64

enum { IN, OUT };
enum { CONTROL_ENDPOINT, NOTICES, LINE }; /* endpoints */

/* Producer: the interrupt. Consumer: the main loop. */
static struct ring received;
/* The other way round. */
static struct ring waiting;

static bool is_configured;
static bool is_sending, is_hearing; /* a buffer of the line is with the controller */
static bool next_in, next_out;      /* DATA1 is the next packet's name */
static uint8_t new_address;
static const uint8_t *answer;
static uint16_t answer_left;
static bool needs_end; /* an answer that fills its last packet, and could have been longer */
static uint8_t line_coding[7] = {0x20, 0xA1, 0x07, 0, 0, 0, 8}; /* 500 000, 8N1; of no effect */
static bool hears_coding;

static volatile uint8_t *bytes_at(uint16_t at)
{
    return (volatile uint8_t *)(USB_RAM + at);
}

/* The controller runs on a clock of its own: AVAILABLE is set once the rest has settled. */
static void arm(uint8_t endpoint, uint8_t direction, uint32_t word)
{
    BUFFER(endpoint, direction) = word;
    __asm__ volatile("nop\nnop\nnop\nnop\nnop\nnop");
    BUFFER(endpoint, direction) = word | AVAILABLE;
}

static void send_packet(uint8_t endpoint, bool *data1, uint16_t length)
{
    arm(endpoint, IN, FULL | (*data1 ? DATA1 : 0) | length);
    *data1 = !*data1;
}

/* -- endpoint 0 ------------------------------------------------------------------------------- */

static bool control_data1;

static void send_answer(void)
{
    uint16_t length = answer_left > PACKET ? PACKET : answer_left, i;

    for (i = 0; i < length; i++)
        bytes_at(EP0_AT)[i] = answer[i];
    answer += length;
    answer_left = (uint16_t)(answer_left - length);
    needs_end = needs_end && length == PACKET;
    send_packet(CONTROL_ENDPOINT, &control_data1, length);
}

static void reply(const uint8_t *bytes, uint16_t length, uint16_t asked)
{
    answer = bytes;
    answer_left = length < asked ? length : asked;
    needs_end = length < asked;
    control_data1 = true;
    send_answer();
}

static void agree(void)
{
    reply(0, 0, 0);
}

static void refuse(void)
{
    SET(USB(STALL_ARM)) = BIT(0) | BIT(1);
    BUFFER(CONTROL_ENDPOINT, IN) = STALL;
    BUFFER(CONTROL_ENDPOINT, OUT) = STALL;
}

static void hear_line(void)
{
    bool has_room = (uint8_t)(received.tail - received.head - 1) >= PACKET;

    if (!is_configured || is_hearing || !has_room)
        return;
    is_hearing = true;
    arm(LINE, OUT, (next_out ? DATA1 : 0) | PACKET);
    next_out = !next_out;
}

static void send_line(void)
{
    uint16_t length = 0;
    int16_t byte;

    if (!is_configured || is_sending || ring_is_empty(&waiting))
        return;
    while (length < PACKET && (byte = ring_get(&waiting)) >= 0)
        bytes_at(IN_AT)[length++] = (uint8_t)byte;
    is_sending = true;
    send_packet(LINE, &next_in, length);
}

static void configure(bool on)
{
    is_configured = on;
    is_sending = is_hearing = next_in = next_out = false;
    CONTROL(NOTICES, IN) = ENDPOINT_ON | EACH_BUFFER | TYPE(3) | NOTICE_AT;
    CONTROL(LINE, IN) = ENDPOINT_ON | EACH_BUFFER | TYPE(2) | IN_AT;
    CONTROL(LINE, OUT) = ENDPOINT_ON | EACH_BUFFER | TYPE(2) | OUT_AT;
    hear_line();
}

static void describe(const volatile uint8_t *setup, uint16_t asked)
{
    uint16_t length;
    const uint8_t *bytes = usb_descriptor(setup[3], setup[2], &length);

    if (bytes)
        reply(bytes, length, asked);
    else
        refuse();
}

/* What a request is: its type and its number in one word. */
#define REQUEST(type, number) ((type) << 8 | (number))

static void on_setup(void)
{
    static const uint8_t nothing[2], configured[1] = {1};
    const volatile uint8_t *setup = bytes_at(SETUP_AT);
    uint16_t asked = (uint16_t)(setup[6] | setup[7] << 8);

    BUFFER(CONTROL_ENDPOINT, IN) = 0;
    hears_coding = false;
    switch (REQUEST(setup[0], setup[1])) {
    case REQUEST(0x80, 6):
        describe(setup, asked);
        break;
    case REQUEST(0x00, 5):
        new_address = setup[2]; /* ours once the answer has gone out under the old one */
        agree();
        break;
    case REQUEST(0x00, 9):
        configure(setup[2]);
        agree();
        break;
    case REQUEST(0x80, 8):
        reply(is_configured ? configured : nothing, 1, asked);
        break;
    case REQUEST(0x80, 0):
    case REQUEST(0x81, 0):
    case REQUEST(0x82, 0):
        reply(nothing, 2, asked);
        break;
    case REQUEST(0x02, 1): /* an endpoint's halt is cleared: its packets begin anew */
        configure(is_configured);
        agree();
        break;
    case REQUEST(0xA1, 0x21):
        reply(line_coding, sizeof line_coding, asked);
        break;
    case REQUEST(0x21, 0x20):
        hears_coding = true;
        arm(CONTROL_ENDPOINT, OUT, DATA1 | PACKET);
        break;
    case REQUEST(0x21, 0x22): /* DTR and RTS: nobody is reset by them */
    case REQUEST(0x01, 11):
        agree();
        break;
    default:
        refuse();
    }
}

static void on_control_sent(void)
{
    if (new_address) {
        REGISTER(USB(ADDRESS)) = new_address;
        new_address = 0;
    } else if (answer_left || needs_end) {
        send_answer();
    } else if (answer) {
        answer = 0;
        arm(CONTROL_ENDPOINT, OUT, DATA1); /* the computer's thanks: a packet of nothing */
    }
}

static void on_control_heard(void)
{
    uint8_t i;

    if (!hears_coding)
        return;
    hears_coding = false;
    for (i = 0; i < sizeof line_coding; i++)
        line_coding[i] = bytes_at(EP0_AT)[i];
    agree();
}

/* -- the line --------------------------------------------------------------------------------- */

static void on_line_heard(void)
{
    uint16_t length = BUFFER(LINE, OUT) & LENGTH, i;

    for (i = 0; i < length; i++)
        ring_put(&received, bytes_at(OUT_AT)[i]);
    is_hearing = false;
    hear_line();
}

static void on_buffers(void)
{
    uint32_t done = REGISTER(USB(BUFF_STATUS));

    REGISTER(USB(BUFF_STATUS)) = done;
    if (done & BUFFER_OF(CONTROL_ENDPOINT, IN))
        on_control_sent();
    if (done & BUFFER_OF(CONTROL_ENDPOINT, OUT))
        on_control_heard();
    if (done & BUFFER_OF(LINE, IN)) {
        is_sending = false;
        send_line();
    }
    if (done & BUFFER_OF(LINE, OUT))
        on_line_heard();
}

void on_usb(void)
{
    uint32_t why = REGISTER(USB(INTS));

    if (why & ON_RESET) {
        REGISTER(USB(SIE_STATUS)) = SIE_RESET;
        REGISTER(USB(ADDRESS)) = 0;
        new_address = 0;
        answer = 0;
        configure(false);
    }
    if (why & ON_SETUP) {
        REGISTER(USB(SIE_STATUS)) = SIE_SETUP;
        on_setup();
    }
    if (why & ON_BUFFER)
        on_buffers();
}

void uart_begin(void)
{
    uint32_t at;

    usb_name(settings_unique());
    board_unreset(RESET_USBCTRL);
    for (at = 0; at < 0x240; at += 4)
        REGISTER(USB_RAM + at) = 0;
    REGISTER(USB(MUXING)) = BIT(0) | BIT(3);
    REGISTER(USB(POWER)) = BIT(3) | BIT(2); /* the cable's voltage is there, or we were not */
    REGISTER(USB(MAIN_CTRL)) = BIT(0);
    REGISTER(USB(SIE_CTRL)) = SIE_EP0_INTERRUPT;
    REGISTER(USB(INTE)) = ON_BUFFER | ON_RESET | ON_SETUP;
    REGISTER(IRQ_ENABLE) = BIT(IRQ_USB);
    REGISTER(USB(SIE_CTRL)) = SIE_EP0_INTERRUPT | SIE_PULL_UP;
}

static void without_interrupts(void (*act)(void))
{
    __asm__ volatile("cpsid i" ::: "memory");
    act();
    __asm__ volatile("cpsie i" ::: "memory");
}

int16_t uart_receive(void)
{
    int16_t byte = ring_get(&received);

    if (byte < 0)
        without_interrupts(hear_line);
    return byte;
}

bool uart_is_empty(void)
{
    return ring_is_empty(&received);
}

/* Where nobody reads, a frame that finds no room is dropped whole: all that matters is sent again. */
void uart_send(const uint8_t *bytes, uint8_t length)
{
    if ((uint8_t)(waiting.tail - waiting.head - 1) < length)
        return;
    while (length--)
        ring_put(&waiting, *bytes++);
    without_interrupts(send_line);
}

uint8_t uart_lost(void)
{
    return 0; /* the endpoint waits instead */
}
