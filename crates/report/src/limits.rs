//! How much of an answer is shown; JSON has all of it.

/// The limits of this room. None of them decides a verdict: what is beyond one is *unknown*, refused, or not shown.
pub(crate) struct ReportLimits {
    /// More inputs than this in a row are counted, not listed.
    pub(crate) inputs: usize,
    /// More loops than this are counted, not listed.
    pub(crate) loops: usize,
    /// More variables than this are counted, not listed.
    pub(crate) variables: usize,
    /// A formula that is longer is cut off.
    pub(crate) term_text: usize,
    /// A formula that is longer is not said twice.
    pub(crate) short_term_text: usize,
    /// More lines than this of one loop help nobody.
    pub(crate) excerpt_lines: usize,
    /// Nobody reads a longer line; programs that write systems write them.
    pub(crate) excerpt_line_length: usize,
    /// Places that are named one by one.
    pub(crate) undefined_lines: usize,
    /// The most lines of a list.
    pub(crate) process_lines: usize,
    /// Letters of one line of a formula.
    pub(crate) picture_line_length: usize,
    /// Lines of one formula.
    pub(crate) picture_lines: usize,
    /// More inputs than this are counted.
    pub(crate) page_inputs: usize,
    /// More characters than this do not fit into a box.
    pub(crate) page_picture_letters: usize,
    /// More boxes than this of one part are left out in the middle.
    pub(crate) page_picture_boxes: usize,
    /// More parts than this nobody reads.
    pub(crate) term_parts: usize,
    /// Nested deeper than this nobody reads either, and the printer calls itself that often.
    pub(crate) term_depth: usize,
}

/// The limits, all in one place.
pub(crate) const LIMITS: ReportLimits = ReportLimits {
    inputs: 20,
    loops: 100,
    variables: 12,
    term_text: 500,
    short_term_text: 80,
    excerpt_lines: 12,
    excerpt_line_length: 120,
    undefined_lines: 12,
    process_lines: 12,
    picture_line_length: 60,
    picture_lines: 12,
    page_inputs: 200,
    page_picture_letters: 46,
    page_picture_boxes: 12,
    term_parts: 20_000,
    term_depth: 200,
};
