import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import Type, { type Static } from 'typebox'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { run } from '../../../web/client.ts'
import { type BackupSettings, BackupSettingsDraft, ObjectStoreTest } from '../settings/model.ts'
import { backups } from './api.ts'
import { carryOut } from './queries.ts'

const text = {
  s3_endpoint: { label: 'S3 server', hint: 'Such as https://s3.example.com' },
  s3_bucket: { label: 'Bucket', hint: '' },
  s3_access_key: { label: 'Access key', hint: '' },
  s3_secret_key: { label: 'Secret key', hint: 'Empty keeps the stored one' },
  s3_region: { label: 'Region', hint: '' },
  s3_prefix: { label: 'Prefix', hint: 'What the names of all objects begin with' },
  remote_enabled: { label: 'Copy backups to S3', hint: 'Those of the panel and of websites' },
  local_encrypt: { label: 'Encrypt backups on this host', hint: 'With the encryption key' },
  remote_encrypt: { label: 'Encrypt backups on S3', hint: 'With the encryption key' },
  schedule: {
    label: 'Schedule of panel backups',
    hint: 'Cron expression in UTC, such as 30 2 * * *; empty: none',
  },
  keep: { label: 'Scheduled backups kept', hint: '' },
  max_bytes_per_second: { label: 'Write limit', hint: 'Bytes per second of a website backup; 0: none' },
}
const hidden = { s3_secret_key: 'new-password', s3_access_key: 'off' }

/** The settings that the API has as 0 and 1 are switches. */
const flags = ['remote_enabled', 'local_encrypt', 'remote_encrypt'] as const
const StorageForm = Type.Object({
  ...BackupSettingsDraft.properties,
  remote_enabled: Type.Boolean(),
  local_encrypt: Type.Boolean(),
  remote_encrypt: Type.Boolean(),
})
type StorageForm = Partial<Static<typeof StorageForm>>

/** Returns the request of the form, which has the fields that were changed. */
function draftOf({
  remote_enabled,
  local_encrypt,
  remote_encrypt,
  ...form
}: StorageForm): BackupSettingsDraft {
  return {
    ...form,
    ...(remote_enabled !== undefined && { remote_enabled: Number(remote_enabled) }),
    ...(local_encrypt !== undefined && { local_encrypt: Number(local_encrypt) }),
    ...(remote_encrypt !== undefined && { remote_encrypt: Number(remote_encrypt) }),
  }
}

/** Where backups go, and when the panel is backed up. */
export function StorageCard({ settings }: { readonly settings: BackupSettings }) {
  const [isTesting, setTesting] = useState(false)
  const { s3_secret_key: _secret, key_set: _key, ...stored } = settings
  const given = { ...stored, ...Object.fromEntries(flags.map((name) => [name, stored[name] === 1])) }
  const callOf = (form: StorageForm) => backups.changeBackupSettings({ body: draftOf(form) })
  const save = async (form: StorageForm) => {
    await carryOut(callOf(form))
    notify('The backup settings were saved.')
  }
  return (
    <SectionCard title="Storage and schedule">
      <SchemaForm
        schema={StorageForm}
        text={text}
        given={given}
        sendsOnlyChanges
        autoComplete={hidden}
        submitLabel="Save the settings"
        reviewOf={callOf}
        onSubmit={save}
      />
      <Group mt="md">
        <Button variant="default" onClick={() => setTesting(true)}>
          Test an S3 server
        </Button>
      </Group>
      {isTesting && <TestDialog settings={settings} onClose={() => setTesting(false)} />}
    </SectionCard>
  )
}

interface TestDialogProps {
  readonly settings: BackupSettings
  readonly onClose: () => void
}

function TestDialog({ settings, onClose }: TestDialogProps) {
  const { s3_endpoint, s3_bucket, s3_access_key, s3_region } = settings
  const test = async (body: ObjectStoreTest) => {
    const { message, ping_ms } = await run(backups.testS3({ body }))
    notify(ping_ms < 0 ? `${message}.` : `${message}; the server is ${ping_ms} ms away.`)
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Test an S3 server" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm
        schema={ObjectStoreTest}
        text={{ ...text, s3_secret_key: { label: 'Secret key', hint: '' } }}
        except={['s3_prefix']}
        given={{ s3_endpoint, s3_bucket, s3_access_key, s3_region }}
        autoComplete={hidden}
        submitLabel="Test"
        onSubmit={test}
        onCancel={onClose}
      />
    </Modal>
  )
}
