import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host } from '../harness/index.ts'
import { poll } from '../harness/index.ts'

// Runs under the attacker's own uid, outside of any confinement, in the attacker's home. Exchanges a folder
// or file with a link to a victim in one system call, so that each name is always there, and is one thing at
// one moment and the other at the next.
const swapper = `
use strict; use warnings;
my ($home, @victims) = @ARGV;
chdir $home or die;
$SIG{ALRM} = sub { exit 0 }; alarm 21600;
sub exchange { my ($one, $other) = @_; syscall(316, -100, $one, -100, $other, 2) }
sub tree {
  for my $name ('a', 'a/b', 'a/b/f') { exchange($name, "$name.l") if -l $name && !-l "$name.l" } # one way failed, as under a lock
  mkdir 'a'; mkdir 'a/b';
  unless (-l 'a/b/f' || -e 'a/b/f') { if (open my $f, '>', 'a/b/f') { print $f "own\\n"; close $f } }
  symlink $victims[0], 'a.l'; symlink "$victims[0]/b", 'a/b.l'; symlink $victims[1], 'a/b/f.l';
}
my $n = 0;
while (1) {
  if ($n++ % 32 == 0) { tree(); select undef, undef, undef, 0.03 } # a rest, in which operations come to their end
  my $name = ('a', 'a/b', 'a/b/f')[int rand 3];
  exchange($name, "$name.l"); select undef, undef, undef, 0.0003 * rand;
  exchange($name, "$name.l"); select undef, undef, undef, 0.001 * rand;
}
`

// Finds processes under the attacker's uid that others started, stops and resumes them by tracing, and kills
// every fourth.
const killer = `
use strict; use warnings;
$SIG{ALRM} = sub { exit 0 }; alarm 21600;
my $n = 0;
while (1) {
  for my $dir (glob '/proc/[0-9]*') {
    my ($pid) = $dir =~ /(\\d+)/;
    next if $pid == $$ || !-o $dir;
    open my $f, '<', "$dir/cmdline" or next; my $words = <$f> // ''; close $f;
    next unless $words =~ m{/run/hostreeve/node};
    if (syscall(101, 16, $pid + 0, 0, 0) == 0) { waitpid $pid, 0; syscall(101, 17, $pid + 0, 0, 0) }
    kill 9, $pid if $n++ % 4 == 3;
  }
  select undef, undef, undef, 0.05;
}
`

/** A program that works against the panel under a hosting user's uid, until it is stopped. */
export interface Attack {
  stop(): Promise<void>
}

/**
 * Makes a hosting user continuously exchange `a`, `a/b` and `a/b/f` in the home with links to another user's
 * files.
 */
export function swapLinks(
  host: Host,
  username: string,
  victims: readonly [folder: string, file: string],
): Promise<Attack> {
  return attack(host, username, { name: 'swap', program: swapper, args: [`/home/${username}`, ...victims] })
}

/** Makes a hosting user trace and kill the programs that the panel runs under their uid. */
export function killPrograms(host: Host, username: string): Promise<Attack> {
  return attack(host, username, { name: 'kill', program: killer, args: [] })
}

async function attack(
  host: Host,
  username: string,
  {
    name,
    program,
    args,
  }: { readonly name: string; readonly program: string; readonly args: readonly string[] },
): Promise<Attack> {
  const path = `/usr/local/lib/attack-${name}.pl`
  await writeFile(join(host.rootPath, path), program, { mode: 0o644 })
  const unit = `attack-${name}`
  await host.must([
    'systemd-run',
    '--quiet',
    '--collect',
    `--unit=${unit}`,
    `--uid=${username}`,
    '--',
    '/usr/bin/perl',
    path,
    ...args,
  ])
  await poll(
    `${unit} to run`,
    5000,
    async () => (await host.exec(['systemctl', 'is-active', unit])).code === 0 || undefined,
  )
  return { stop: async () => void (await host.must(['systemctl', 'stop', unit])) }
}
