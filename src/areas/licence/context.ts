import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { listOf } from '../settings/index.ts'
import { publicKeyOf } from './document.ts'
import { type LicenceFile, openLicenceFile } from './file.ts'
import { askForLicence } from './server.ts'
import { isInForce } from './state.ts'
import { activateStep } from './step.ts'

/** The licence of this host, as the verbs of the area reach it. */
export interface Licence {
  readonly file: LicenceFile
  readonly activate: ReturnType<typeof activateStep>
  readonly canActivate: boolean
  /** How many websites the configuration allows; null if it sets no limit. */
  readonly configuredWebsites: number | null
  /** True if the licence or the configuration grants a feature. */
  isFeatureEnabled(name: string): boolean
  /** Uses the stored licence. */
  load(): Promise<void>
}

/** Binds the area to the host and the settings; `load` reads the licence. */
export function openLicence({ host, settings: { configuration }, log }: Deps): Licence {
  const { data_dir = '', license_url: url = '', license_public_key: publicKey = '' } = configuration.running
  const { public_ip_url: publicIpUrl = '', features = '', max_websites: most = '' } = configuration.running
  const { files, fetch, machine } = host
  const { names } = machine
  const file = openLicenceFile({
    files,
    path: `${resolve(data_dir)}/license.json`,
    publicKey: publicKey === '' ? undefined : publicKeyOf(publicKey),
    names,
  })
  const configured: ReadonlySet<string> = new Set(listOf(features))
  const ask = (key: string, signal: AbortSignal) =>
    askForLicence({ fetch, url, publicIpUrl, names }, key, signal)
  return {
    file,
    activate: activateStep({ file, ask, now: () => new Date() }),
    configuredWebsites: most === '' ? null : Number(most),
    canActivate: url !== '' && publicKey !== '',
    isFeatureEnabled: (name) => {
      if (configured.has(name)) return true
      const document = file.current()
      return isInForce(document, new Date()) && document.features[name] === true
    },
    load: () => file.load(log),
  }
}

export interface Context {
  readonly licence: Licence
}

export const { endpoint } = area.of<Context>()
