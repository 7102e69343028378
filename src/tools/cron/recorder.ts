/** What cron runs in place of a shell: `recorder -c COMMAND`, as it runs a shell. */
export const recorderPath = '/usr/local/lib/hostreeve/cron-shell'

/** Of each run. */
export const maxOutputBytes = 65_536
const kept = 20

/** Below the home of the owner; the number of the website follows. */
export const runsFolder = '.local/state/hostreeve/cron'

/**
 * The name of a run: its start and end in seconds since 1970, its exit status, the digest of the command by which its line is found,
 * and what started it.
 */
const nameForm = /^(\d{1,12})-(\d{1,12})-(\d{1,3})-([0-9a-f]{16})-([\w.]{1,40})$/

export interface RunName {
  readonly name: string
  readonly startedAt: Date
  readonly endedAt: Date
  readonly status: number
  readonly digest: string
  readonly startedBy: string
}

/** Parses the name of a run; undefined for any other file. */
export function parseRunName(name: string): RunName | undefined {
  const [, start, end, status, digest = '', startedBy = ''] = nameForm.exec(name) ?? []
  if (start === undefined) return undefined
  const at = (seconds: string | undefined) => new Date(Number(seconds) * 1000)
  return { name, startedAt: at(start), endedAt: at(end), status: Number(status), digest, startedBy }
}

export const recorder = `#!/bin/sh
# Written by Hostreeve. cron runs it in place of a shell for the crontabs of websites, under the uid of their owners. It runs the shell
# that the crontab names, and keeps the output and the exit status of the last ${kept} runs.
umask 077
shell=\${HOSTREEVE_SHELL:-/bin/sh}
folder=$HOME/${runsFolder}/$HOSTREEVE_CRON
mkdir -p "$folder" || exec "$shell" "$@"
start=$(date +%s)
run=$folder/running-$start-$$
{ "$shell" "$@"; echo $? >"$run.status"; } 2>&1 | { head -c ${maxOutputBytes} >"$run.output"; cat >/dev/null; }
status=$(cat "$run.status" 2>/dev/null || echo 255)
digest=$(printf %s "$2" | sha256sum | cut -c1-16)
[ -z "$MAILTO" ] || cat "$run.output"
rm -f "$run.status"
mv "$run.output" "$folder/$start-$(date +%s)-$status-$digest-\${HOSTREEVE_RUN:-cron}"
ls -1 "$folder" | grep -v ^running- | sort -n | head -n -${kept} | while read -r name; do rm -f "$folder/$name"; done
exit "$status"
`
