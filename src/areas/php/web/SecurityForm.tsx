import Type from 'typebox'
import { OneOf, Optional } from '../../../core/schemas.ts'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { phpDirective } from '../../websites/settings-model.ts'
import type { PhpSecurity } from '../model.ts'
import { PhpSecurityEdit } from '../model.ts'
import { php } from './api.ts'
import { readPhpAgain } from './queries.ts'

interface Site {
  readonly id: number
  readonly domain: string
}

interface Draft {
  readonly disabled_functions?: readonly string[]
  readonly settings?: readonly { readonly name: string; readonly value: string }[]
  readonly exceptions?: readonly {
    readonly website: string
    readonly functions?: readonly string[]
    readonly settings?: readonly string[]
  }[]
}

const { disabled_functions: functions } = PhpSecurityEdit.properties

function schemaFor(sites: readonly Site[]) {
  const [first, ...others] = sites.map(({ domain }) => domain)
  return Type.Object({
    disabled_functions: functions,
    settings: Optional(
      Type.Array(Type.Object({ name: phpDirective.name, value: phpDirective.value }), { maxItems: 50 }),
    ),
    ...(first !== undefined && {
      exceptions: Optional(
        Type.Array(
          Type.Object({
            website: OneOf([first, ...others]),
            functions,
            settings: Optional(Type.Array(phpDirective.name, { maxItems: 50 })),
          }),
          { maxItems: 1000 },
        ),
      ),
    }),
  })
}

const text = {
  disabled_functions: { label: 'Disabled functions', hint: 'Such as exec, system and proc_open' },
  settings: { label: 'Fixed directives', hint: 'Neither owners nor scripts can change them' },
  exceptions: { label: 'Exceptions' },
}

const bodyOf = (
  { disabled_functions = [], settings = [], exceptions = [] }: Draft,
  sites: readonly Site[],
) => ({
  disabled_functions: [...disabled_functions],
  settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
  exceptions: exceptions.map(({ website, functions: allowed = [], settings: free = [] }) => ({
    website_id: sites.find(({ domain }) => domain === website)?.id ?? 0,
    functions: [...allowed],
    settings: [...free],
  })),
})

/** Disables functions and fixes directives for all websites, with exceptions. */
export function SecurityForm({
  security,
  sites,
}: {
  readonly security: PhpSecurity
  readonly sites: readonly Site[]
}) {
  const callOf = (draft: Draft) => php.changeSecurity({ body: bodyOf(draft, sites) })
  const save = async (draft: Draft) => {
    await run(callOf(draft))
    notify('The restrictions of PHP were saved.')
    await readPhpAgain()
  }
  return (
    <SchemaForm
      schema={schemaFor(sites)}
      text={text}
      given={{
        disabled_functions: security.disabled_functions,
        settings: Object.entries(security.settings).map(([name, value]) => ({ name, value })),
        exceptions: security.exceptions.map(({ domain, ...rest }) => ({ website: domain, ...rest })),
      }}
      submitLabel="Save"
      reviewOf={callOf}
      onSubmit={save}
    />
  )
}
