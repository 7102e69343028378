import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Lua } from '../../tools/lua/index.ts'
import type { Nginx } from '../../tools/nginx/index.ts'
import type { ProgramSteps } from '../../tools/program-steps.ts'
import type { Deps } from '../deps.ts'
import { type WebServers, webserver } from '../webserver/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { openConfigFiles, type ConfigFiles } from './config/files.ts'
import { type CountrySource, openCountries } from './countries.ts'
import { replayStep } from './replay/step.ts'

/** The access rules of websites, as the verbs of the area reach them. */
export interface Webacl {
  readonly websites: Websites
  readonly nginx: Nginx
  readonly serving: WebServers['serving']
  readonly lua: Lua
  readonly programSteps: ProgramSteps
  readonly packages: Pick<Host['packages'], 'detect'>
  readonly configs: ConfigFiles
  readonly countries: CountrySource
  /** Runs logs through a ruleset. */
  readonly replay: ReturnType<typeof replayStep>
}

/** Binds the area to the files of its rules, the websites and nginx. */
export function openWebacl({ host, tools, settings, use }: Deps): Webacl {
  const configs = openConfigFiles(host.files)
  const countries = openCountries(host.files, settings.configuration.running['geoip_file'] ?? '')
  return {
    websites: use(websites).websites,
    nginx: tools.nginx,
    serving: use(webserver).webserver.serving,
    lua: tools.lua,
    programSteps: tools.programSteps,
    packages: host.packages,
    configs,
    countries,
    replay: replayStep({ nginx: tools.nginx, configs, countries }),
  }
}

export interface Context {
  readonly webacl: Webacl
}

export const { endpoint, work } = area.of<Context>()
