import { Alert, Button, Card, Modal, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { type Ban, BanDraft, BanSettings } from '../model.ts'
import { firewall } from './api.ts'
import { FirewallFrame } from './FirewallFrame.tsx'
import { addBan, setBanSettings, useBans, useBanSettings } from './queries.ts'

/** The banned addresses, and when addresses are banned automatically. */
export function BansPage() {
  const [isAdding, setAdding] = useState(false)
  return (
    <FirewallFrame
      actions={
        <Button variant="default" onClick={() => setAdding(true)}>
          Ban an address
        </Button>
      }
    >
      {() => (
        <Stack gap="md">
          <Bans />
          <Automatic />
          {isAdding && <AddBan onClose={() => setAdding(false)} />}
        </Stack>
      )}
    </FirewallFrame>
  )
}

const bannedBy = { manual: 'Administrator', panel: 'Failed sign-ins', ssh: 'Failed SSH sign-ins' }

const columns: Column<Ban>[] = [
  { id: 'address', title: 'Address', value: ({ address }) => address, cell: ({ address }) => address },
  {
    id: 'source',
    title: 'Banned by',
    cell: ({ source }) => bannedBy[source],
  },
  { id: 'reason', title: 'Reason', cell: ({ reason }) => reason },
  { id: 'banned', title: 'Since', cell: ({ banned_at: at }) => <Moment time={at} /> },
  { id: 'until', title: 'Until', cell: ({ until }) => <Moment time={until} none="No end" /> },
]

function Bans() {
  const query = useBans()
  const [releasing, setReleasing] = useState<string>()
  const withActions: Column<Ban>[] = [
    ...columns,
    {
      id: 'actions',
      title: 'Actions',
      cell: ({ address }) => (
        <Button size="xs" variant="subtle" onClick={() => setReleasing(address)}>
          Release
        </Button>
      ),
    },
  ]
  return (
    <>
      <DataTable
        label="Bans"
        columns={withActions}
        query={useWholePage(query)}
        rowKey={({ address }) => address}
        empty={<Empty title="No banned addresses" />}
      />
      {releasing !== undefined && (
        <ChangeDialog
          title={`Release ${releasing}`}
          confirmLabel="Release"
          call={firewall.deleteBan({ params: { address: releasing } })}
          isRecoverable
          onClose={() => setReleasing(undefined)}
          onDone={() => {
            setReleasing(undefined)
            notify(`${releasing} was released.`)
            return readAgain('firewall')
          }}
        />
      )}
    </>
  )
}

const banText = { duration_seconds: { label: 'Seconds', hint: 'Empty for no end' } }

function AddBan({ onClose }: { readonly onClose: () => void }) {
  const save = async (body: BanDraft) => {
    const { address } = await addBan(body)
    onClose()
    notify(`${address} is banned.`)
    await readAgain('firewall')
  }
  return (
    <Modal opened onClose={onClose} title="Ban an address" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm
        schema={BanDraft}
        text={banText}
        submitLabel="Ban"
        reviewOf={(body) => firewall.addBan({ body })}
        onCancel={onClose}
        onSubmit={save}
      />
    </Modal>
  )
}

const settingsText = {
  bans_sign_ins: { label: 'Ban after failed sign-ins' },
  attempts: { label: 'Failed sign-ins' },
  window_minutes: { label: 'Within minutes' },
  ban_minutes: { label: 'Minutes of the ban' },
  never_ban: { label: 'Never ban', hint: 'Addresses or networks, besides loopback and your own' },
}

function Automatic() {
  const { data, error, refetch } = useBanSettings()
  const save = async (body: BanSettings) => {
    await setBanSettings(body)
    notify('The settings of bans were saved.')
    await readAgain('firewall')
  }
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="h4" mb="md">
        Automatic bans
      </Title>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading rows={3} />}
      {data?.bans_sign_ins && data.never_ban.length === 0 && (
        <Alert color="orange" title="Administrators can be banned" mb="md">
          Whoever shares your address, such as an office, bans you too by failed sign-ins, and keeps you from
          SSH. Enter the networks of administrators under Never ban.
        </Alert>
      )}
      {data && (
        <SchemaForm
          key={JSON.stringify(data)}
          schema={BanSettings}
          given={data}
          text={settingsText}
          submitLabel="Save"
          reviewOf={(body) => firewall.setBanSettings({ body })}
          onSubmit={save}
        />
      )}
    </Card>
  )
}
