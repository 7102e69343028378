import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Deps, Installation } from '../deps.ts'
import { builtInKey } from './built-in-key.ts'
import type { UpdateServer } from './release-index.ts'
import { resultPath } from './result.ts'
import { switchStep } from './switch-step.ts'
import { unpackStep } from './unpack-step.ts'

/** The updates of the panel itself, as the verbs of the area reach them. */
export interface SelfUpdateArea {
  readonly version: string
  readonly server: UpdateServer
  readonly releases: Host['releases']
  readonly files: Host['files']
  readonly installation: Installation | undefined
  /** The file in which the watcher of an update tells how it ended. */
  readonly resultPath: string
  readonly unpack: ReturnType<typeof unpackStep>
  readonly switch: ReturnType<typeof switchStep>
}

/** Binds the area to the host and the settings. */
export function openSelfUpdate({ host, settings }: Deps): SelfUpdateArea {
  const { version, installation, configuration } = settings
  const { update_url: url = '', update_public_key: publicKey = '' } = configuration.running
  const { files, fetch, releases, detached, run } = host
  const dataDir = resolve(settings.dataDir ?? '')
  return {
    version,
    server: { fetch, url, publicKey: publicKey || builtInKey, architecture: process.arch },
    releases,
    files,
    installation,
    resultPath: resultPath(dataDir),
    unpack: unpackStep({ fetch, files, releases, run, folder: installation?.folder ?? '', dataDir }),
    switch: switchStep({ files, releases, detached, installation, dataDir }),
  }
}

export interface Context {
  readonly selfupdate: SelfUpdateArea
}

export const { endpoint, work } = area.of<Context>()
