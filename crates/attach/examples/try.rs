//! Looks at a process and prints the answer.
fn main() {
    let pid: i32 = std::env::args().nth(1).expect("a process").parse().expect("a number");
    let snapshot = ouro_process::attach(pid, ouro_process::Options::default()).expect("a snapshot");
    let options = ouro_attach::Options::default();
    let analysis = ouro_attach::analyse(&snapshot, options, &mut |what| eprintln!("… {what}"));
    print!("{}", ouro_attach::text(&analysis));
}
