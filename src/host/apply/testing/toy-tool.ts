import type { Files } from '../../files.ts'
import type { Candidate, OwnedTool } from '../tool.ts'

/** A program that serves its generation file, rejects files that contain `bad`, and does not load those that contain `stuck`. */
export function toyTool(files: Files, log: string[] = []): OwnedTool {
  let served: string | undefined
  const sees = async (word: string, candidates: readonly Candidate[] = []) => {
    const live = await Promise.all((await files.list('/etc')).map((name) => files.read(`/etc/${name}`)))
    return [...live, ...candidates.map((each) => each.content)].some((content) => content?.includes(word))
  }
  const path = '/etc/generation'
  const parse = (content: string) => content.trim()
  return {
    name: 'toy',
    kind: 'owned',
    directories: ['/etc'],
    checkCommand: ['toy', '--check'],
    isServed: async () => true,
    assertAvailable: async () => {},
    check: async (candidates) => {
      log.push('check')
      return (await sees('bad', candidates)) ? 'line 1: bad' : undefined
    },
    activate: async (generation) => {
      log.push('reload')
      if (await sees('stuck')) return { outcome: 'refused', message: 'stuck at line 1' }
      served = parse((await files.read(path)) ?? '')
      return { outcome: served === generation ? 'live' : 'refused', message: '' }
    },
    generation: { path, render: (generation) => `${generation}\n`, parse, served: async () => served },
  }
}
