/** How the API of PowerDNS is reached, as its configuration states it. */
export interface ApiSettings {
  readonly port: number
  readonly key: string
}

/** Reads the settings of the API from a configuration; undefined if it has none. */
export function apiSettingsIn(content: string | undefined): ApiSettings | undefined {
  const key = settingIn(content, 'api-key')
  const port = Number(settingIn(content, 'webserver-port'))
  return key === undefined || !Number.isInteger(port) ? undefined : { key, port }
}

/** Returns the value of a setting; the last line counts. */
export function settingIn(content: string | undefined, name: string): string | undefined {
  const lines = (content ?? '').split('\n').filter((line) => line.startsWith(`${name}=`))
  return lines.at(-1)?.slice(name.length + 1)
}
