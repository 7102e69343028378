import { Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useWebsiteId } from '../../websites/web/use-website-id.ts'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { JobDialog } from '../../../web/kit/JobDialog.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { useWebsite } from '../../websites/web/queries.ts'
import { WebsiteTabs } from '../../websites/web/WebsiteTabs.tsx'
import type { CertificateStatus } from '../model.ts'
import { certificates } from './api.ts'
import { Checks } from './Checks.tsx'
import { Fact } from './Fact.tsx'
import { HttpsFields } from './HttpsFields.tsx'
import { useCertificate, useIssue } from './queries.ts'
import { UploadCertificate } from './UploadCertificate.tsx'

const methods = { acme: 'Issued by ACME', upload: 'Uploaded', self_signed: 'Self-signed' } as const

/** The certificate of a website. */
export function CertificatePage() {
  const id = useWebsiteId()
  const website = useWebsite(id)
  const { data: status, error, refetch } = useCertificate(id)
  return (
    <Page title={website.data?.domain ?? 'Website'} about="The certificate that visitors get over https.">
      <WebsiteTabs id={id} />
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !status && <Loading />}
      {status && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Card withBorder radius="lg" p="lg">
            <Status status={status} />
            <Actions id={id} status={status} />
          </Card>
          <HttpsFields id={id} status={status} />
          <Checks id={id} />
        </SimpleGrid>
      )}
    </Page>
  )
}

function Status({ status }: { readonly status: CertificateStatus }) {
  const { state, method, names, uncovered, issuer, not_after: until, renew_at: renewal } = status
  return (
    <Stack gap="xs" mb="md">
      <Group gap="xs">
        <Title order={2} size="h4">
          Certificate
        </Title>
        <StateBadge state={state} />
      </Group>
      {state === 'none' && <Text size="sm">This website is served over http alone.</Text>}
      {method && <Fact name="Kind">{methods[method]}</Fact>}
      {issuer && <Fact name="Issuer">{issuer}</Fact>}
      {names.length > 0 && <Fact name="Names">{names.join(', ')}</Fact>}
      {until && (
        <Fact name="Expires">
          <Moment time={until} />
        </Fact>
      )}
      {renewal && (
        <Fact name="Renewal">
          <Moment time={renewal} />
        </Fact>
      )}
      {uncovered.length > 0 && (
        <Text size="sm" c="orange">
          {uncoveredText(uncovered)}
        </Text>
      )}
      {status.warning && (
        <Text size="sm" c="orange" className="anywhere">
          {status.warning}.
        </Text>
      )}
      {status.last_error && (
        <Text size="sm" c="red" className="anywhere">
          The last attempt failed: {status.last_error}
        </Text>
      )}
    </Stack>
  )
}

const uncoveredText = (names: readonly string[]) =>
  names.every((name) => name.startsWith('*.'))
    ? `Not for ${names.join(', ')}: a wildcard needs a zone that this panel serves, or an uploaded certificate.`
    : `Not for ${names.join(', ')}: issue it again.`

interface ActionsProps {
  readonly id: number
  readonly status: CertificateStatus
}

function Actions({ id, status }: ActionsProps) {
  const issue = useIssue(id)
  const [asking, setAsking] = useState<'upload' | 'remove'>()
  const close = () => setAsking(undefined)
  return (
    <>
      {issue.error && asking === undefined && <Failure error={issue.error} />}
      <Group gap="xs">
        <Button loading={issue.isPending} onClick={() => issue.mutate({ method: 'acme' })}>
          {status.method === 'acme' ? 'Issue again' : 'Issue a certificate'}
        </Button>
        <Button variant="default" onClick={() => setAsking('upload')}>
          Upload
        </Button>
        <Button variant="default" onClick={() => issue.mutate({ method: 'self_signed' })}>
          Self-signed
        </Button>
        {status.state !== 'none' && (
          <Button variant="subtle" color="red" onClick={() => setAsking('remove')}>
            Remove
          </Button>
        )}
      </Group>
      {asking === 'upload' && (
        <UploadCertificate
          error={issue.error}
          isSending={issue.isPending}
          onClose={close}
          onSend={(pem) => issue.mutate({ method: 'upload', ...pem }, { onSuccess: close })}
        />
      )}
      {asking === 'remove' && (
        <ChangeDialog
          title="Remove the certificate"
          confirmLabel="Remove the certificate"
          isCutOff
          call={certificates.deleteCertificate({ params: { id } })}
          onClose={close}
          onDone={() => {
            close()
            notify('The certificate was removed.')
            return readAgain('websites')
          }}
        />
      )}
      {issue.data && (
        <JobDialog
          title="Issue a certificate"
          jobId={issue.data.job_id}
          onClose={issue.reset}
          onEnd={() => void readAgain('websites', 'jobs')}
        />
      )}
    </>
  )
}
