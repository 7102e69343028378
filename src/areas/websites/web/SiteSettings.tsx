import { Alert, Card, Text, Title } from '@mantine/core'
import Type from 'typebox'
import { Optional } from '../../../core/schemas.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import type { Website } from '../model.ts'
import { PhpVersion, Upstream } from '../settings-model.ts'
import { editCall, editWebsite } from './queries.ts'

const schemas = {
  php: Type.Object({ php_version: Optional(PhpVersion) }),
  proxy: Type.Object({ upstream: Optional(Upstream) }),
}

interface Draft {
  readonly php_version?: string
  readonly upstream?: string
}

/** How a PHP site is run, or where a proxy forwards to. */
export function SiteSettings({ website }: { readonly website: Website }) {
  const { id, type, php_version, upstream } = website
  if (type === 'static') return null
  const text = {
    php_version: { label: 'PHP version', first: php_version ?? '' },
    upstream: { label: 'Upstream', first: upstream ?? '', hint: 'Such as http://192.0.2.7:3000' },
  }
  const save = async (draft: Draft) => {
    await editWebsite(id, draft)
    notify(`${website.domain} was changed.`)
  }
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="h4" mb="sm">
        {type === 'php' ? 'PHP' : 'Proxy'}
      </Title>
      {type === 'php' && (
        <Alert mb="sm" variant="light">
          <Text size="sm">
            PHP runs as {website.username}, and reads and writes in the folder of this site. That is no border
            between two sites of one owner: sites that must not see each other have different owners.
          </Text>
        </Alert>
      )}
      <SchemaForm
        key={website.revision}
        schema={schemas[type]}
        text={text}
        submitLabel="Save"
        reviewOf={(draft: Draft) => editCall(id, draft)}
        onSubmit={save}
      />
    </Card>
  )
}
