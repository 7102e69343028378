/**
 * The command line of a program that the kernel ends first when memory runs out. What works for an owner would else be as safe as the panel,
 * which asks to be ended last, and other programs of the host would go in its place. Set before the namespace, in which there is no /proc.
 */
export function preferForOomKill(
  program: string,
  args: readonly string[],
): readonly [program: string, args: readonly string[]] {
  return ['/usr/bin/choom', ['--adjust', '800', '--', program, ...args]]
}
