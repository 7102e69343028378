import { Card, Text, Title } from '@mantine/core'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { AutoBackup } from '../model.ts'
import { lbproxy } from './api.ts'
import { carryOut, type Status } from './queries.ts'

const text = {
  enabled: { label: 'Enable', hint: '' },
  every: { label: 'Every', hint: '' },
  keep: { label: 'Number kept', hint: 'Manual backups are not counted' },
}

/** The schedule of automatic backups of the configuration. */
export function AutoBackups({ status }: { readonly status: Status }) {
  const save = async (body: AutoBackup) => {
    await carryOut(lbproxy.scheduleBackups({ body }))
    notify(
      body.enabled
        ? `The configuration is backed up every ${body.every}.`
        : 'Automatic backups are disabled.',
    )
  }
  return (
    <Card withBorder radius="lg" p="lg" component="section" aria-label="Automatic backups">
      <Title order={2} size="h4" mb={4}>
        Automatic backups
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        The oldest are deleted.
      </Text>
      <SchemaForm
        key={JSON.stringify(status.auto_backup)}
        schema={AutoBackup}
        text={text}
        given={status.auto_backup}
        submitLabel="Save"
        reviewOf={(body) => lbproxy.scheduleBackups({ body })}
        onSubmit={save}
      />
    </Card>
  )
}
