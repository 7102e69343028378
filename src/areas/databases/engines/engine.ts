import type { Step } from '../../../core/change.ts'
import type { Found } from '../../../core/tool.ts'
import type { DumpFile } from '../../../tools/dump-step.ts'
import type { EngineName } from '../model.ts'

/** An account of a server. */
export interface EngineAccount {
  readonly username: string
  /** Where it connects from. */
  readonly host: string
}

/** How text is stored and compared; null where the server has no choice of it. */
export interface Encoding {
  readonly charset: string | null
  readonly collation: string | null
}

/** A database as its server has it; null for what the server does not tell. */
export interface FoundDatabase extends Encoding {
  readonly sizeBytes: number | null
  readonly rows: number | null
  readonly tables: number | null
}

/** A database that the server has, whoever made it. */
export interface ForeignDatabase {
  readonly name: string
  /** The role or user to whom it belongs; null where there are none. */
  readonly owner: string | null
  readonly sizeBytes: number | null
}

export interface AccountSetting extends EngineAccount {
  /** The one database that it has rights on. */
  readonly database: string
  /** Of its password, as `secretOf` returns it; null removes the account. */
  readonly secret: string | null
}

export interface ExportOrder {
  /** The Linux account of the owner. */
  readonly username: string
  readonly database: string
  /** The name of the file, without its ending. */
  readonly name: string
}

export interface ImportOrder {
  /** The Linux account of the owner. */
  readonly username: string
  readonly database: string
  /** Relative to the home. */
  readonly file: string
  /** The first user of the database, to whom what is imported may belong. */
  readonly definer: EngineAccount
  /** A dump, relative to the home, from which the database is restored if the import fails. */
  readonly safety?: string
  readonly label: string
}

/** A database server as a value: all that the verbs of this area need to know of it. */
export interface Engine {
  readonly name: EngineName
  /** The name for people. */
  readonly title: string
  /** Of names on the server, with the owner before them, in characters. */
  readonly longest: { readonly name: number; readonly username: number }
  /** What a database is before its first table, on a server that does not have it until then; absent elsewhere. */
  readonly empty?: FoundDatabase
  detect(): Promise<Found>
  /** Completes an encoding; fails for one that the server does not have. */
  chooseEncoding(draft: { readonly charset?: string; readonly collation?: string }): Promise<Encoding>
  /** Returns the host of an account as the server keeps it; fails for one that it cannot have. */
  accountHost(given: string): string
  /** Returns what the steps are given of a password. */
  secretOf(password: string): string | Promise<string>
  /** Returns those of the named databases that the server has. */
  findDatabases(names: readonly string[]): Promise<ReadonlyMap<string, FoundDatabase>>
  /** Returns the accounts of a name, from whatever host they connect. */
  findAccounts(username: string): Promise<readonly EngineAccount[]>
  createDatabase(args: { readonly name: string } & Encoding): readonly Step[]
  dropDatabase(args: { readonly name: string }): readonly Step[]
  setAccount(args: AccountSetting): Step
  exportDatabase(args: ExportOrder): Step<DumpFile>
  importDatabase(args: ImportOrder): Step<{ readonly statements: number }>
  /** Lists the databases of the server that are none of its own; absent where the panel does not take over what others made. */
  listDatabases?(): Promise<readonly ForeignDatabase[]>
  /** Makes a database that others made one to which users can be added. */
  adoptDatabase?(args: { readonly name: string }): readonly Step[]
}
