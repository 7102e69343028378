import type { Host } from '../../host/index.ts'
import { FileInvalid } from './problems.ts'
import { type EffectiveSetting, effectiveSettings, type Environment, SettingInvalid } from './effective.ts'
import { EditImpossible, editToml, type Literals, parseToml, TomlInvalid } from './toml-text.ts'

/** Reads the settings file; undefined if there is none. Throws `FileInvalid` if it is not valid TOML. */
export async function readSettingsFile(files: Host['files'], path: string): Promise<string | undefined> {
  const facts = await files.facts(path)
  if (facts === undefined) return undefined
  // a link would be replaced by a file, and its target stay as it is
  if (facts.kind !== 'file') throw FileInvalid(`${path} is not a plain file`)
  const text = (await files.read(path)) ?? ''
  refusing(path, () => parseToml(text))
  return text
}

/** The effective settings with a text of the settings file. */
export function settingsWith(
  path: string,
  environment: Environment,
  text: string,
): readonly EffectiveSetting[] {
  return refusing(path, () => effectiveSettings(environment, parseToml(text)))
}

/** The text of the settings file with other values; throws `FileInvalid` if a form cannot make this edit. */
export function editedFile(path: string, text: string | undefined, literals: Literals): string {
  return refusing(path, () => editToml(text ?? '', literals))
}

/** Turns what cannot be done with the text of a file into a failure that names the file. */
function refusing<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof SettingInvalid)
      throw FileInvalid(`${path}: ${error.setting}: ${error.message}`, { cause: error })
    if (!(error instanceof TomlInvalid || error instanceof EditImpossible)) throw error
    throw FileInvalid(`${path}: ${error.message}`, { cause: error })
  }
}
