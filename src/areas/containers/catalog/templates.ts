import { mask } from '../../../core/secret.ts'

/** `{{secret:NAME}}` or `{{secret:NAME:base64}}`: a value that is generated at launch, the same for each NAME of an entry. */
const secretTemplate = /\{\{secret:([a-z0-9]+)(?::(base64))?\}\}/g

/** `{{name}}`: the name of the instance. */
const nameTemplate = /\{\{name\}\}/g

/** Random values by the names of their templates. */
export type Secrets = Readonly<Record<string, string>>

/** A secret that the environment of an entry needs, and how it is written. */
export interface WantedSecret {
  readonly name: string
  readonly format: 'text' | 'base64'
}

/** Returns the secrets that an environment names, each once. */
export function secretsIn(env: readonly string[]): readonly WantedSecret[] {
  const found = env.flatMap((entry) =>
    [...entry.matchAll(secretTemplate)].map(([, name = '', format]): WantedSecret => ({
      name,
      format: format === 'base64' ? 'base64' : 'text',
    })),
  )
  return [...new Map(found.map((secret) => [secret.name, secret])).values()]
}

/** Replaces the templates of an entry by the name of the instance and the generated secrets. */
export function fill(
  text: string,
  { name, secrets }: { readonly name: string; readonly secrets: Secrets },
): string {
  return text
    .replaceAll(nameTemplate, () => name)
    .replaceAll(secretTemplate, (_all, secret: string) => {
      const value = secrets[secret]
      if (value === undefined) throw new Error(`no value was generated for the secret ${secret}`)
      return value
    })
}

/** Shows an environment without its secrets: a value with a generated part is masked as a whole. */
export const maskEnv = (env: readonly string[]): readonly string[] =>
  env.map((entry) => {
    if (secretsIn([entry]).length === 0) return entry
    return `${entry.slice(0, entry.indexOf('='))}=${mask('')}`
  })
