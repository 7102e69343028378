import { basename } from 'node:path'
import { Unavailable } from '../../core/problem.ts'
import type { Candidate } from '../../host/apply/tool.ts'
import type { Host } from '../../host/index.ts'
import { configurationPath, directory } from './layout.ts'

const copy = '/var/lib/hostreeve/rsyslog-check'
const limits = { timeoutMs: 60_000, maxBytes: 64 * 1024 }
export const checkCommand = ['rsyslogd', '-N1', '-f', configurationPath] as const

/** Lets rsyslog check a copy of its directory with the candidates, mounted at the path of the directory; returns its message if it refuses. */
export async function checkCandidates(
  { files, run }: Pick<Host, 'files' | 'run'>,
  candidates: readonly Candidate[],
): Promise<string | undefined> {
  await files.removeTree(copy)
  await files.makeDirectory(copy, { mode: 0o700 })
  try {
    const replaced = new Set(candidates.map(({ path }) => basename(path)))
    for (const name of await files.list(directory)) {
      if (replaced.has(name) || (await files.facts(`${directory}/${name}`))?.kind === 'directory') continue
      const content = await files.readBytes(`${directory}/${name}`)
      if (content !== undefined) await files.write(`${copy}/${name}`, Buffer.from(content, 'latin1'))
    }
    for (const { path, content } of candidates)
      if (content !== undefined) await files.write(`${copy}/${basename(path)}`, content)
    return await check({ files, run })
  } finally {
    await files.removeTree(copy)
  }
}

async function check({ files, run }: Pick<Host, 'files' | 'run'>): Promise<string | undefined> {
  const asRoot = process.getuid?.() === 0 ? ['--cap-add', 'ALL'] : []
  const mounted = ['--dev-bind', '/', '/', ...asRoot, '--ro-bind', files.real(copy), files.real(directory)]
  const { code, stdout, stderr } = await run(
    ['bwrap', '--die-with-parent', ...mounted, '--', ...checkCommand],
    limits,
  )
  if (code === 127) throw Unavailable('bubblewrap, which is needed to check rsyslog, is not installed')
  if (/^bwrap: /m.test(stderr))
    throw Unavailable(`the configuration of rsyslog cannot be checked on this host: ${stderr.trim()}`)
  if (code === 0) return undefined
  const message = (stderr.trim() || stdout.trim() || `exit status ${code}`)
    .split('\n')
    .filter((line) => !/config validation run/.test(line))
  return message.join('\n').slice(0, 2000)
}
