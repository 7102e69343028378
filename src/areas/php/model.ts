import Type, { type Static } from 'typebox'
import { Id, Optional, Text } from '../../core/schemas.ts'
import { phpDirective, PhpVersion } from '../websites/index.ts'

const Nullable = (length: number, description: string) =>
  Type.Union([Text(length), Type.Null()], { description })

export const VersionPath = Type.Object({ version: PhpVersion })
export const VersionChoice = Type.Object({ version: PhpVersion })

export const PhpVersions = Type.Object({
  versions: Type.Array(
    Type.Object({
      version: PhpVersion,
      installed: Type.Boolean({ description: 'Whether its php-fpm is installed' }),
      available: Type.Boolean({ description: 'Whether the packages of this host have it' }),
      package_version: Nullable(200, 'Version of the installed package'),
      extensions: Type.Array(Text(100), {
        maxItems: 500,
        description: 'Packages of extensions: those installed, or those that an installation brings',
      }),
      websites: Type.Integer({ minimum: 0, description: 'Websites that use it' }),
    }),
    { maxItems: 100, description: 'The newest first' },
  ),
})
export type PhpVersions = Static<typeof PhpVersions>

export const PhpPackages = Type.Object({
  version: PhpVersion,
  packages: Type.Array(Text(200), { maxItems: 500, description: 'What was installed or removed' }),
})

const settings = (description: string) =>
  Type.Record(phpDirective.name, phpDirective.value, {
    maxProperties: 50,
    additionalProperties: false,
    description,
    expects: 'an object with names of PHP directives, such as memory_limit, and their values',
  })

const Directive = Type.Object({
  name: Text(200),
  value: Nullable(10_000, 'As php.ini has it, without quotes; null if it does not mention the directive'),
  effective: Text(10_000, { description: 'As PHP reports it; empty for none' }),
  built_in: Nullable(10_000, 'Without any file; null if an extension brings the directive'),
  source: Nullable(4096, 'File from which PHP takes it; null for the value that is built in'),
  expects: Text(200, { description: 'What its values are like' }),
  is_set_per_website: Type.Boolean({ description: 'Whether each website has a value of its own instead' }),
})

export const PhpConfig = Type.Object({
  version: PhpVersion,
  path: Text(4096, { description: 'php.ini of this version' }),
  directives: Type.Array(Directive, { maxItems: 5000, description: 'By name' }),
})
export type PhpConfig = Static<typeof PhpConfig>

export const PhpConfigEdit = Type.Object({
  settings: settings('Directives to set in php.ini, with their values; others stay'),
})
export type PhpConfigEdit = Static<typeof PhpConfigEdit>

const Functions = Type.Array(
  Type.String({
    maxLength: 100,
    pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$',
    description: 'Function of PHP',
    expects: 'the name of a function such as exec',
  }),
  { maxItems: 500, description: 'Functions of PHP' },
)
const DirectiveNames = Type.Array(phpDirective.name, { maxItems: 50, description: 'Directives of php.ini' })

export const PhpSecurity = Type.Object({
  disabled_functions: Functions,
  settings: settings('Directives that no website can change'),
  exceptions: Type.Array(
    Type.Object({ website_id: Id, domain: Text(253), functions: Functions, settings: DirectiveNames }),
    {
      maxItems: 1000,
      description: 'Websites for which functions and directives are not restricted',
    },
  ),
})
export type PhpSecurity = Static<typeof PhpSecurity>

export const PhpSecurityEdit = Type.Object({
  disabled_functions: Optional(Functions),
  settings: Optional(settings('Directives that no website can change')),
  exceptions: Optional(
    Type.Array(
      Type.Object({ website_id: Id, functions: Optional(Functions), settings: Optional(DirectiveNames) }),
      { maxItems: 1000, description: 'Websites for which functions and directives are not restricted' },
    ),
  ),
})
export type PhpSecurityEdit = Static<typeof PhpSecurityEdit>
