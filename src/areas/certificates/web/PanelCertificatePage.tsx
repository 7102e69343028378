import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import type { PanelCertificateStatus } from '../model.ts'
import { certificates } from './api.ts'
import { Fact } from './Fact.tsx'
import { OrderForPanel } from './OrderForPanel.tsx'
import { usePanelCertificate } from './queries.ts'

/** The certificate that the panel itself is served with. */
export function PanelCertificatePage() {
  const { data: status, error, refetch } = usePanelCertificate()
  return (
    <Page
      title="Certificate of the panel"
      about="The certificate that browsers get from this panel, and the authority that issues it."
    >
      <SettingsTabs />
      {error && !status && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !status && <Loading />}
      {status && (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Served status={status} />
          <SectionCard title="Order by ACME">
            <OrderForPanel key={status.name ?? ''} status={status} />
          </SectionCard>
        </SimpleGrid>
      )}
    </Page>
  )
}

function Served({ status }: { readonly status: PanelCertificateStatus }) {
  const { names, issuer, not_after: until, renew_at: renewal, is_renewed: isRenewed } = status
  return (
    <SectionCard title="Certificate">
      {!status.serves_https && (
        <Alert color="orange" variant="light">
          The panel answers over http alone: it serves a certificate once the setting HTTPS is on.
        </Alert>
      )}
      {issuer && <Fact name="Issuer">{issuer}</Fact>}
      {names.length > 0 && <Fact name="Names">{names.join(', ')}</Fact>}
      {until && (
        <Fact name="Expires">
          <Moment time={until} />
        </Fact>
      )}
      <Fact name="Renewal">{renewal ? <Moment time={renewal} /> : 'Not automatic'}</Fact>
      {status.name !== null && !isRenewed && (
        <Text size="sm" c="orange">
          Another certificate has replaced the one that was ordered for {status.name}: order it again to have
          it renewed.
        </Text>
      )}
      {status.last_error && (
        <Text size="sm" c="red" className="anywhere">
          The last order failed: {status.last_error}
        </Text>
      )}
      {(status.name !== null || status.last_error !== null) && <Remove isOrdered={status.name !== null} />}
    </SectionCard>
  )
}

interface RemoveProps {
  /** False if the only order has failed. */
  readonly isOrdered: boolean
}

function Remove({ isOrdered }: RemoveProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Group>
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && (
        <ChangeDialog
          title={isOrdered ? 'Remove the certificate of the panel' : 'Remove the failed order'}
          confirmLabel={isOrdered ? 'Remove the certificate' : 'Remove the order'}
          isCutOff
          call={certificates.deletePanelCertificate()}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            notify(isOrdered ? 'The panel has a self-signed certificate.' : 'The failed order was removed.')
            return readAgain('panel-certificate')
          }}
        />
      )}
    </Group>
  )
}
