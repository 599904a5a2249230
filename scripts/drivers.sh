#!/usr/bin/env bash
# Asks about Linux drivers whether they give back what they take: as they are, and with a seeded bug.
#
#   scripts/drivers.sh FOLDER
#
# FOLDER is SV-COMP's ldv-linux-3.4-simple. The harnesses there hand pointers to the drivers that point nowhere,
# so most calls of theirs are undefined before they come to a lock. The drivers below get a harness of their own
# after their last line, which calls some of their functions in any order and any number of times, with
# objects that exist.
#
# The bug is one call removed: of the calls of the function that gives back, the one with the given number, in
# the order of the text. Prints the rows of the table in docs/drivers.md: driver, lines of the
# preprocessed file, then verdict, seconds and memory (of the largest process) as it is and with the bug. Exit
# code 1 if an answer is not the expected one: holds, and violated with the bug.
#
#   OURO=path            the ouro to test; target/release/ouro if not given
#   LIMIT=300 MEMORY=4096   seconds and MiB for each question
#   ONLY=text            only drivers whose name contains it
set -euo pipefail

[[ $# == 1 && -d $1 ]] || { sed -n '2,18s/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/environment.sh
source "$root/scripts/environment.sh"
OURO=$(realpath -m "${OURO:-$root/target/release/ouro}")
[[ -x $OURO ]] || { echo "$OURO is not there: cargo build --release" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The rule in the file's name, the driver, and which call of mutex_unlock the bug removes.
drivers() {
    cat <<'LIST'
32_1 staging--iio--iio_dummy_evgen 1
32_1 leds--leds-regulator 1
32_1 staging--media--cxd2099--cxd2099 2
32_1 usb--serial--ssu100 1
32_1 media--dvb--dvb-usb--dvb-usb-vp7045 1
LIST
}

# What calls the functions of a driver.
harness() {
    echo 'extern int __VERIFIER_nondet_int(void);'
    case $1 in
        *iio_dummy_evgen) cat <<'C' ;;
void harness(void) {
  int irq;
  if (iio_dummy_evgen_init()) return;
  while (__VERIFIER_nondet_int()) {
    irq = iio_dummy_evgen_get_irq();
    if (irq >= 0) iio_dummy_evgen_release_irq(irq);
  }
  iio_dummy_evgen_exit();
}
C
        *leds-regulator) cat <<'C' ;;
static struct regulator_led led_of_harness;
void harness(void) {
  while (__VERIFIER_nondet_int()) {
    led_of_harness.value = __VERIFIER_nondet_int();
    led_of_harness.cdev.max_brightness = __VERIFIER_nondet_int();
    regulator_led_set_value(&led_of_harness);
  }
}
C
        *cxd2099) cat <<'C' ;;
static struct cxd card_of_harness;
extern void *memset(void *, int, unsigned long);
void harness(void) {
  memset(&card_of_harness, 0, sizeof card_of_harness);
  card_of_harness.en.data = &card_of_harness;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) read_attribute_mem(&card_of_harness.en, 0, 0);
    else if (__VERIFIER_nondet_int()) write_attribute_mem(&card_of_harness.en, 0, 0, 0);
    else if (__VERIFIER_nondet_int()) read_cam_control(&card_of_harness.en, 0, 0);
    else write_cam_control(&card_of_harness.en, 0, 0, 0);
  }
}
C
        *ssu100) cat <<'C' ;;
static struct usb_device device_of_harness;
static struct usb_serial serial_of_harness;
static struct usb_serial_port port_of_harness;
void harness(void) {
  serial_of_harness.dev = &device_of_harness;
  port_of_harness.serial = &serial_of_harness;
  while (__VERIFIER_nondet_int()) {
    serial_of_harness.disconnected = __VERIFIER_nondet_int() != 0;
    ssu100_dtr_rts(&port_of_harness, __VERIFIER_nondet_int());
  }
}
C
        *vp7045) cat <<'C' ;;
static struct usb_device device_of_harness;
static struct dvb_usb_device adapter_of_harness;
static u8 buffer_of_harness[20], out_of_harness[2], in_of_harness[2];
void harness(void) {
  adapter_of_harness.udev = &device_of_harness;
  adapter_of_harness.priv = buffer_of_harness;
  while (__VERIFIER_nondet_int())
    vp7045_usb_op(&adapter_of_harness, 1, out_of_harness, 2, in_of_harness, 2, 20);
}
C
    esac
}

# Prints `VERDICT | SECONDS | MIB` for a program.
ask() {
    local code=0 verdict
    /usr/bin/time -q -o "$work/time" -f '%e %M' "$OURO" check "$1" --function harness \
        --spec "$root/specs/linux/mutex.slic" --obligation 'every mutex that is taken is given back' \
        --data-model lp64 --format json --timeout "${LIMIT:-300}s" --memory "${MEMORY:-4096}" \
        >"$work/out" 2>"$work/errors" </dev/null || code=$?
    verdict=$(grep -o '"verdict":"[a-z]*"' "$work/out" | cut -d '"' -f 4) || true
    awk -v verdict="${verdict:-error $code}" \
        '{ printf "%s | %.1f s | %.0f MiB", verdict, $1, $2 / 1024 }' "$work/time"
}

failed=0
while read -r rule driver number; do
    [[ $driver == *"${ONLY:-}"* ]] || continue
    program=$(find "$folder" -name "${rule}_*drivers--$driver.ko-*.i" | sort | head -n 1)
    [[ -n $program ]] || { echo "$driver: no such driver in $folder" >&2; failed=1; continue; }
    name=${driver##*--}
    { cat "$program"; harness "$driver"; } >"$work/$name.i"
    awk -v number="$number" '/^[ \t]+mutex_unlock *\(/ && ++seen == number { print "  ;"; next } { print }' \
        "$work/$name.i" >"$work/${name}_broken.i"
    as_it_is=$(ask "$work/$name.i")
    with_bug=$(ask "$work/${name}_broken.i")
    echo "| ${driver//--/\/} | $(wc -l <"$program") | $as_it_is | $with_bug |"
    [[ $as_it_is == holds* && $with_bug == violated* ]] || failed=1
done < <(drivers)
exit $failed
