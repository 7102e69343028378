import { Unavailable } from '../../core/problem.ts'
import { ConfigRejected } from '../../host/apply/problems.ts'
import type { Host } from '../../host/index.ts'
import { type IniFile, parseReport } from './directives.ts'
import { configDirectory, iniPath, programOf } from './pool.ts'

const limits = { timeoutMs: 10_000, maxBytes: 1024 * 1024 }

type Parts = Pick<Host, 'run' | 'files'>

/** Asks PHP for the value of every directive: with its files, with another php.ini, or with none of them. */
export async function reportedDirectives(
  { run }: Parts,
  version: string,
  ini: 'as installed' | 'none' | { readonly path: string },
): Promise<ReadonlyMap<string, string>> {
  const chosen = ini === 'as installed' ? [] : ini === 'none' ? ['-n'] : ['-c', ini.path]
  const { code, stdout, stderr, isCut } = await run([programOf(version), ...chosen, '-i'], limits)
  if (code === 127) throw Unavailable(`PHP ${version} is not installed`)
  const complaint = /^(?:PHP )?(?:Warning|Fatal error|Parse error|ERROR|syntax error)\b.*$/im.exec(
    `${stderr}\n${stdout.slice(0, 4096)}`,
  )?.[0]
  if (code !== 0 || isCut || complaint !== undefined)
    throw ConfigRejected(
      `PHP ${version}: ${(complaint ?? stderr.trim()).slice(0, 1000) || `php-fpm -i ended with ${code}`}`,
    )
  return parseReport(stdout)
}

/** Reads the files of a version in the order in which PHP reads them. */
export async function iniFiles({ files }: Parts, version: string): Promise<readonly IniFile[]> {
  const directory = `${configDirectory(version)}/conf.d`
  const names = (await files.list(directory)).filter((name) => name.endsWith('.ini'))
  const found: IniFile[] = []
  for (const path of [iniPath(version), ...names.map((name) => `${directory}/${name}`)]) {
    const text = await files.readBytes(path)
    if (text !== undefined) found.push({ path, text })
  }
  return found
}
