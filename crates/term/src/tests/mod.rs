//! Tests of the whole room, on random well-sorted terms.

mod deep;
mod exact;
mod floats;
mod linear;
mod meaning;
mod round_trip;
mod sorts;
mod tree;
