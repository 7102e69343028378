import { Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { dropInDirectory } from './drop-in.ts'
import { SshdRefused } from './problems.ts'

type SshdHost = Pick<Host, 'run' | 'files' | 'services'>

const limits = { timeoutMs: 10_000, maxBytes: 256 * 1024 }
const config = '/etc/ssh/sshd_config'
const included = /^[ \t]*include[ \t]+"?\/etc\/ssh\/sshd_config\.d\/\*\.conf"?[ \t]*$/im
/** sshd checks nothing without it; its service makes it when it starts. */
const runDirectory = '/run/sshd'

/** Returns why sshd would not read a file of an account; undefined if it does. */
export async function findObstacle({ files }: Pick<Host, 'files'>): Promise<string | undefined> {
  const text = await files.read(config)
  if (text === undefined) return `${config} does not exist: install the OpenSSH server`
  const beforeMatch = text.split(/^[ \t]*match[ \t]/im, 1)[0] ?? ''
  if (included.test(beforeMatch)) return undefined
  return `${config} does not include ${dropInDirectory}/*.conf: add the line "Include ${dropInDirectory}/*.conf" at its beginning`
}

/** Has sshd check its configuration together with a file that is not in place yet. */
export async function checkDropIn({ run, files }: SshdHost, content: string): Promise<void> {
  const obstacle = await findObstacle({ files })
  if (obstacle !== undefined) throw Unavailable(obstacle)
  await files.makeDirectory(runDirectory)
  const whole = `Include ${files.real(config)}\n${content}`
  const prepared = await files.prepare(`${dropInDirectory}/hostreeve-check`, whole, {
    rights: { mode: 0o600 },
  })
  try {
    const { code, stderr } = await run(['sshd', '-t', '-f', files.real(prepared.preparedPath)], limits)
    if (code === 127) throw Unavailable('sshd is not installed')
    if (code !== 0) throw SshdRefused(`sshd -t: ${stderr.trim().slice(0, 2000)}`)
  } finally {
    await prepared.discard()
  }
}

/** What sshd prints of a configuration: the values of each keyword in lower case, one for each of its lines or words. */
export type SshdSettings = ReadonlyMap<string, readonly string[]>

/** Asks sshd for the settings that it applies to an account; undefined where it is not installed. */
export async function readEffective(
  { run }: Pick<Host, 'run'>,
  username: string,
): Promise<SshdSettings | { readonly error: string } | undefined> {
  const { code, stdout, stderr } = await run(effectiveFor(username), limits)
  if (code === 127) return undefined
  if (code !== 0) return { error: stderr.trim().slice(0, 500) }
  const settings = new Map<string, string[]>()
  for (const line of stdout.split('\n')) {
    const [keyword = '', ...values] = line.trim().split(/\s+/)
    settings.set(keyword, [...(settings.get(keyword) ?? []), ...values])
  }
  return settings
}

const effectiveFor = (username: string): readonly [string, ...string[]] => [
  'sshd',
  '-T',
  '-C',
  `user=${username},host=localhost,addr=127.0.0.1,laddr=127.0.0.1,lport=22`,
]

/** Throws if another line of the configuration of sshd takes precedence over those of an account. */
export async function assertInEffect({ run }: SshdHost, username: string, content: string): Promise<void> {
  const { code, stdout, stderr } = await run(effectiveFor(username), limits)
  if (code !== 0) throw SshdRefused(`sshd -T: ${stderr.trim().slice(0, 2000)}`)
  const effective = new Set(stdout.split('\n').map((line) => line.trim().toLowerCase()))
  const settings = content.split('\n').filter((line) => line.startsWith('    '))
  const lost = settings.find((line) => !effective.has(line.trim().toLowerCase()))
  if (lost !== undefined)
    throw SshdRefused(
      `another line of the configuration of sshd takes precedence over "${lost.trim()}" for ${username}`,
    )
}

/** A stopped sshd is not started: its files apply when it is. */
export async function reloadSshd({ services }: SshdHost): Promise<void> {
  const service = (await services.list()).find(({ name }) => name === 'ssh' || name === 'sshd')
  if (service?.active) await services.act(service.name, 'reload')
}
