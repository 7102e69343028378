import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import { ConfigRejected } from '../../host/apply/problems.ts'
import type { Host } from '../../host/index.ts'
import { isReported, unquoted, writtenValue } from './directives.ts'
import { removeIniValue, setIniValue, writtenIn } from './ini.ts'
import { iniPath } from './pool.ts'
import { reportedDirectives } from './report.ts'

export interface EditIniArgs {
  readonly version: string
  readonly settings: Readonly<Record<string, string>>
}

/** The values as written, by directive; null where the file has none. */
type Written = Readonly<Record<string, string | null>>

/** Returns php.ini with these values; every other byte stays. */
export function editedIni(text: string, settings: Readonly<Record<string, string>>): string {
  return withWritten(
    text,
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, writtenValue(name, value)])),
  )
}

const withWritten = (text: string, written: Written): string =>
  Object.entries(written).reduce((edited, [name, value]) => {
    if ((writtenIn(edited, name) ?? null) === value) return edited
    return value === null ? removeIniValue(edited, name) : setIniValue(edited, name, value)
  }, text)

/** The step that sets directives in the php.ini of a version. PHP itself reads the new file before it takes the place of the old one. */
export function editIni(parts: Pick<Host, 'files' | 'run'>): StepKind<EditIniArgs, Was<Written>, null> {
  const { files } = parts
  const textOf = async (version: string) => (await files.readBytes(iniPath(version))) ?? ''
  return stateStep<EditIniArgs, Written>({
    name: 'php.edit-ini',
    plan: async ({ version, settings }) => {
      const [path, text] = [iniPath(version), await textOf(version)]
      return {
        title: `Set ${Object.keys(settings).join(', ')} of PHP ${version}`,
        files: [{ path, diff: unifiedDiff(path, text, editedIni(text, settings)) }],
      }
    },
    read: async ({ version, settings }) => {
      const text = await textOf(version)
      return Object.fromEntries(Object.keys(settings).map((name) => [name, writtenIn(text, name) ?? null]))
    },
    wanted: ({ settings }) =>
      Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, writtenValue(name, value)])),
    write: async ({ version }, written = {}) => {
      const prepared = await files.prepare(
        iniPath(version),
        Buffer.from(withWritten(await textOf(version), written), 'latin1'),
      )
      try {
        await assertRead(parts, version, { path: prepared.preparedPath, written })
        await prepared.commit()
      } catch (error) {
        await prepared.discard()
        throw error
      }
    },
  })
}

interface Candidate {
  readonly path: string
  readonly written: Written
}

async function assertRead(
  parts: Pick<Host, 'files' | 'run'>,
  version: string,
  { path, written }: Candidate,
): Promise<void> {
  const reported = await reportedDirectives(parts, version, { path })
  for (const [name, value] of Object.entries(written)) {
    if (value === null) continue
    const now = reported.get(name) ?? ''
    if (!isReported(name, unquoted(value), now))
      throw ConfigRejected(`PHP ${version} reads ${name} as ${JSON.stringify(now)} instead of ${value}`)
  }
}
