import { gitFailure } from './failures.ts'
import { NoSuchRemote, RemoteTaken, RepositoryRefused } from './problems.ts'
import { parseRemoteUrl, type RemoteUrl, shownUrl } from './remote-url.ts'
import { setting } from './refs.ts'
import type { Repository } from './repository.ts'

export interface Remote {
  readonly name: string
  readonly url: string
  readonly pushUrl?: string
  /** The reason why the panel does not use it. */
  readonly problem: string | null
  /** Set if the panel can use it. */
  readonly fetchFrom?: RemoteUrl
}

/** Returns the remotes of a repository. */
export function remotesOf({ config }: Repository): readonly Remote[] {
  const names = [...new Set(config.flatMap(([key]) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []))].slice(
    0,
    50,
  )
  return names.map((name) => remoteOf(config, name))
}

/** Returns the address of a remote for fetching or pushing; an address that the panel does not use is refused. */
export function addressOf(repository: Repository, name: string, way: 'fetch' | 'push'): RemoteUrl {
  const urls = valuesOf(repository.config, `remote.${name}.url`)
  const pushing = valuesOf(repository.config, `remote.${name}.pushurl`)
  const chosen = way === 'push' && pushing.length > 0 ? pushing : urls
  if (chosen.length === 0) throw NoSuchRemote(`remote: ${shownUrl(name)}: the repository has no such remote`)
  if (way === 'push' && chosen.length > 1)
    throw RepositoryRefused(
      `remote: ${name}: it has ${chosen.length} addresses, and the panel pushes to only one`,
    )
  return parseRemoteUrl(chosen[0] ?? '', `remote: ${name}`)
}

/** Adds, changes or removes a remote. */
export async function changeRemote(
  repository: Repository,
  action: 'add' | 'set-url' | 'remove',
  name: string,
  url?: RemoteUrl,
): Promise<void> {
  const isThere = setting(repository, `remote.${name}.url`) !== undefined
  if (action === 'add' && isThere)
    throw RemoteTaken(`name: ${name}: the repository already has a remote of this name`)
  if (action !== 'add' && !isThere) throw NoSuchRemote(`name: ${name}: the repository has no such remote`)
  const { code, message } = await repository.attempt({
    args: ['remote', action, '--', name, ...(url === undefined ? [] : [url.text])],
  })
  if (code !== 0) throw gitFailure(message, `${repository.place}: `)
}

function remoteOf(config: Repository['config'], name: string): Remote {
  const [url = ''] = valuesOf(config, `remote.${name}.url`)
  const pushUrl = valuesOf(config, `remote.${name}.pushurl`)[0]
  const about = {
    name: name.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 250),
    url: shownUrl(url),
    ...(pushUrl !== undefined && { pushUrl: shownUrl(pushUrl) }),
  }
  try {
    return { ...about, problem: null, fetchFrom: parseRemoteUrl(url, name) }
  } catch (error) {
    return { ...about, problem: error instanceof Error ? error.message.slice(0, 600) : '' }
  }
}

const valuesOf = (config: Repository['config'], wanted: string): readonly string[] =>
  config.filter(([key]) => key === wanted).map(([, value]) => value)
