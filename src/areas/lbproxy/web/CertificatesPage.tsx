import { Badge, Button, Group, Text } from '@mantine/core'
import { IconCertificate, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { CertificateDraft, type StoredCertificate } from '../model.ts'
import { LbproxyFrame } from './LbproxyFrame.tsx'
import { lbproxy } from './api.ts'
import { useCertificates } from './queries.ts'
import { UploadCertificate } from './UploadCertificate.tsx'

const soonDays = 21
const domainOnly = ['domain']
const selfSignedWords = { domain: { label: 'Domain', hint: 'Such as www.example.com' } }

/** The certificates that frontends may use, with their names and expiry. */
export function CertificatesPage() {
  return <LbproxyFrame>{() => <Certificates />}</LbproxyFrame>
}

function Certificates() {
  const certificates = useWholePage(useCertificates())
  const [asking, setAsking] = useState<'upload' | 'self-signed' | { readonly remove: string }>()
  const close = () => setAsking(undefined)
  const done = (text: string) => () => {
    close()
    notify(text)
    return readAgain('lbproxy')
  }
  const actions = (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconCertificate size={16} aria-hidden />}
        onClick={() => setAsking('self-signed')}
      >
        Create a self-signed one
      </Button>
      <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setAsking('upload')}>
        Upload a certificate
      </Button>
    </Group>
  )
  return (
    <>
      <Group justify="flex-end">{actions}</Group>
      <DataTable
        label="Certificates"
        columns={columnsOf((remove) => setAsking({ remove }))}
        query={certificates}
        rowKey={({ domain }) => domain}
        empty={
          <Empty title="No certificates yet">
            A frontend that speaks TLS needs one for each name that visitors ask for.
          </Empty>
        }
      />
      {asking === 'upload' && (
        <UploadCertificate onClose={close} onDone={done('The certificate was stored.')} />
      )}
      {asking === 'self-signed' && (
        <PlannedForm
          title="Create a self-signed certificate"
          confirmLabel="Create"
          schema={CertificateDraft}
          only={domainOnly}
          text={selfSignedWords}
          callOf={({ domain }) => lbproxy.storeCertificate({ body: { domain, self_signed: true } })}
          onClose={close}
          onDone={done('The certificate was created.')}
        />
      )}
      {typeof asking === 'object' && (
        <ChangeDialog
          title={`Delete the certificate ${asking.remove}`}
          confirmLabel="Delete the certificate"
          call={lbproxy.deleteCertificate({ params: { domain: asking.remove } })}
          onClose={close}
          onDone={done(`The certificate ${asking.remove} was deleted.`)}
        />
      )}
    </>
  )
}

const columnsOf = (onRemove: (domain: string) => void): Column<StoredCertificate>[] => [
  {
    id: 'domain',
    title: 'Domain',
    cell: ({ domain, names }) => (
      <>
        <Text size="sm" fw={600}>
          {domain}
        </Text>
        {names.some((name) => name !== domain) && (
          <Text size="xs" c="dimmed">
            {names.slice(0, 10).join(', ')}
            {names.length > 10 ? ` and ${names.length - 10} more` : ''}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'issuer',
    title: 'Issuer',
    cell: ({ issuer, self_signed }) => (self_signed ? 'Self-signed' : issuer),
  },
  { id: 'expiry', title: 'Expires', cell: (certificate) => <Expiry certificate={certificate} /> },
  {
    id: 'used',
    title: 'Used by',
    cell: ({ used_by }) =>
      used_by.length > 0 ? used_by.map((each) => each.replace(' (bind)', '')).join(', ') : '–',
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: ({ domain }) => (
      <Button
        size="compact-xs"
        variant="light"
        color="red"
        aria-label={`Delete the certificate ${domain}`}
        onClick={() => onRemove(domain)}
      >
        Delete
      </Button>
    ),
  },
]

function Expiry({ certificate: { valid_to, expired } }: { readonly certificate: StoredCertificate }) {
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / 86_400_000)
  return (
    <Group gap="xs">
      <Moment time={valid_to} />
      {(expired || days < soonDays) && (
        <Badge variant="light" color={expired ? 'red' : 'orange'} tt="none">
          {expired ? 'expired' : 'soon'}
        </Badge>
      )}
    </Group>
  )
}
