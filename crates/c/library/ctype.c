// <ctype.h> in the C locale.
//
// The functions compare instead of looking up: a table with a symbolic index is dear. glibc's header
// turns `isalpha(c)` and its kin into look-ups of the tables at the end, unless it is compiled with
// `-D__NO_CTYPE`.
#include "ouro.h"

// C knows characters and EOF, and glibc's tables begin with the least `char`.
static void ouro_check_character(int character) {
  if ((unsigned)character + 128 >= 384)
    __ouro_undefined("a call of a function of <ctype.h> with a number that is no character");
}

static int ouro_in(int character, unsigned first, unsigned count) {
  return (unsigned)character - first < count;
}

// audit: isdigit: fails no; short no; interrupted no; stores no; calls back no
int isdigit(int c) {
  ouro_check_character(c);
  return ouro_in(c, '0', 10);
}

// audit: isupper: fails no; short no; interrupted no; stores no; calls back no
int isupper(int c) {
  ouro_check_character(c);
  return ouro_in(c, 'A', 26);
}

// audit: islower: fails no; short no; interrupted no; stores no; calls back no
int islower(int c) {
  ouro_check_character(c);
  return ouro_in(c, 'a', 26);
}

// audit: isalpha: fails no; short no; interrupted no; stores no; calls back no
int isalpha(int c) {
  ouro_check_character(c);
  return ouro_in(c | 32, 'a', 26);
}

// audit: isalnum: fails no; short no; interrupted no; stores no; calls back no
int isalnum(int c) {
  ouro_check_character(c);
  return ouro_in(c | 32, 'a', 26) | ouro_in(c, '0', 10);
}

// audit: isxdigit: fails no; short no; interrupted no; stores no; calls back no
int isxdigit(int c) {
  ouro_check_character(c);
  return ouro_in(c | 32, 'a', 6) | ouro_in(c, '0', 10);
}

int ouro_is_space(int c) {
  return (c == ' ') | ouro_in(c, '\t', 5);
}

// audit: isspace: fails no; short no; interrupted no; stores no; calls back no
int isspace(int c) {
  ouro_check_character(c);
  return ouro_is_space(c);
}

// audit: isblank: fails no; short no; interrupted no; stores no; calls back no
int isblank(int c) {
  ouro_check_character(c);
  return (c == ' ') | (c == '\t');
}

// audit: iscntrl: fails no; short no; interrupted no; stores no; calls back no
int iscntrl(int c) {
  ouro_check_character(c);
  return ouro_in(c, 0, 32) | (c == 127);
}

// audit: isprint: fails no; short no; interrupted no; stores no; calls back no
int isprint(int c) {
  ouro_check_character(c);
  return ouro_in(c, ' ', 95);
}

// audit: isgraph: fails no; short no; interrupted no; stores no; calls back no
int isgraph(int c) {
  ouro_check_character(c);
  return ouro_in(c, '!', 94);
}

// audit: ispunct: fails no; short no; interrupted no; stores no; calls back no
int ispunct(int c) {
  ouro_check_character(c);
  return ouro_in(c, '!', 15) | ouro_in(c, ':', 7) | ouro_in(c, '[', 6) | ouro_in(c, '{', 4);
}

// audit: isascii: fails no; short no; interrupted no; stores no; calls back no
int isascii(int c) {
  return ouro_in(c, 0, 128);
}

// audit: toascii: fails no; short no; interrupted no; stores no; calls back no
int toascii(int c) {
  return c & 127;
}

// audit: tolower: fails no; short no; interrupted no; stores no; calls back no
int tolower(int c) {
  ouro_check_character(c);
  return c + 32 * ouro_in(c, 'A', 26);
}

// audit: toupper: fails no; short no; interrupted no; stores no; calls back no
int toupper(int c) {
  ouro_check_character(c);
  return c - 32 * ouro_in(c, 'a', 26);
}

// audit: _tolower: fails no; short no; interrupted no; stores no; calls back no
int _tolower(int c) {
  ouro_check_character(c);
  return c + 32 * ouro_in(c, 'A', 26);
}

// audit: _toupper: fails no; short no; interrupted no; stores no; calls back no
int _toupper(int c) {
  ouro_check_character(c);
  return c - 32 * ouro_in(c, 'a', 26);
}

// glibc's tables: bits of the classes, and both cases, for -128 to 255. Index 0 is
// -128.
#define OURO_AT(character) ((character) + 128)
static const unsigned short ouro_classes[384] = {
    [OURO_AT(0) ... OURO_AT(8)] = 0x0002,
    [OURO_AT(9)] = 0x2003,
    [OURO_AT(10) ... OURO_AT(13)] = 0x2002,
    [OURO_AT(14) ... OURO_AT(31)] = 0x0002,
    [OURO_AT(32)] = 0x6001,
    [OURO_AT('!') ... OURO_AT('/')] = 0xc004,
    [OURO_AT('0') ... OURO_AT('9')] = 0xd808,
    [OURO_AT(':') ... OURO_AT('@')] = 0xc004,
    [OURO_AT('A') ... OURO_AT('F')] = 0xd508,
    [OURO_AT('G') ... OURO_AT('Z')] = 0xc508,
    [OURO_AT('[') ... OURO_AT('`')] = 0xc004,
    [OURO_AT('a') ... OURO_AT('f')] = 0xd608,
    [OURO_AT('g') ... OURO_AT('z')] = 0xc608,
    [OURO_AT('{') ... OURO_AT('~')] = 0xc004,
    [OURO_AT(127)] = 0x0002,
};

static const int ouro_lower[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 91, 92, 93, 94, 95,
    96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
    112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};

static const int ouro_upper[384] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
    80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
    96, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79,
    80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 123, 124, 125, 126, 127,
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143,
    144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159,
    160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191,
    192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207,
    208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,
    224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239,
    240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};

// audit: __ctype_b_loc: fails no; short no; interrupted no; stores no; calls back no
// The functions return the address of a pointer to the entry of 0.
const unsigned short **__ctype_b_loc(void) {
  static const unsigned short *table = ouro_classes + 128;
  return &table;
}

// audit: __ctype_tolower_loc: fails no; short no; interrupted no; stores no; calls back no
const int **__ctype_tolower_loc(void) {
  static const int *table = ouro_lower + 128;
  return &table;
}

// audit: __ctype_toupper_loc: fails no; short no; interrupted no; stores no; calls back no
const int **__ctype_toupper_loc(void) {
  static const int *table = ouro_upper + 128;
  return &table;
}
