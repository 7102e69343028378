/**
 * Returns the command line of a program that the kernel kills first when memory runs out. Otherwise processes of an owner would be as
 * protected as the panel, and other programs of the host would be killed first. Set before the namespace, in which there is no /proc.
 */
export function preferForOomKill(
  program: string,
  args: readonly string[],
): readonly [program: string, args: readonly string[]] {
  return ['/usr/bin/choom', ['--adjust', '800', '--', program, ...args]]
}
