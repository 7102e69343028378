import { EditImpossible, editToml, literalsOf, TomlInvalid } from '../../settings/index.ts'

const name = 'database_url'

/** The settings of a backup with the address of the database that the panel has now. */
export const withPresentDatabase = (restored: string, present: string): string =>
  editToml(restored, literalsOf(present, [name]))

/** Settings without the address of the database, which no restore uses and which may contain a password. */
export function withoutDatabase(text: string): string {
  try {
    return editToml(text, { [name]: null })
  } catch (error) {
    if (error instanceof EditImpossible || error instanceof TomlInvalid) return text
    throw error
  }
}
