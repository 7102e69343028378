import { Button, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { Copyable } from '../../../web/kit/Copyable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { ApiError, textOf } from '../../../web/wire.ts'
import { mcp } from './api.ts'
import { readKeysAgain, useCertificate } from './queries.ts'
import { downloadCertificate } from './transfer.ts'

/** The panel's own certificate, which clients are told to trust. */
export function Certificate() {
  const { data, error, isPending, refetch } = useCertificate()
  const hasNone = error instanceof ApiError && error.status === 503
  const [isReplacing, setReplacing] = useState(false)
  const [isNewKey, setNewKey] = useState(false)
  return (
    <SectionCard title="Certificate of the panel">
      {isPending && <Loading rows={2} />}
      {error && !data && !hasNone && <Failure error={error} onRetry={() => void refetch()} />}
      {hasNone && (
        <Text size="sm" c="dimmed">
          {error.message}
        </Text>
      )}
      {data && (
        <>
          <Text size="sm">
            {data.self_signed ? 'Self-signed, for' : `Issued by ${data.issuer}, for`} {data.names.join(', ')};
            expires <Moment time={data.valid_until} />
          </Text>
          <Copyable value={data.fingerprint_sha256} label="SHA-256 fingerprint" />
          <Group>
            <Button
              variant="default"
              onClick={() => void downloadCertificate().catch((failure) => notify(textOf(failure), true))}
            >
              Download
            </Button>
            <Button variant="default" onClick={() => setReplacing(true)}>
              Make a new certificate
            </Button>
          </Group>
        </>
      )}
      {isReplacing && (
        <ChangeDialog
          title="Make a new certificate"
          confirmLabel="Replace the certificate"
          isCutOff={isNewKey}
          call={mcp.createCertificate({ body: { new_key: isNewKey } })}
          onClose={() => setReplacing(false)}
          onDone={async () => {
            setReplacing(false)
            notify('The panel has a new certificate.')
            await readKeysAgain()
          }}
        >
          <Switch
            label="With a new key pair"
            description="Peers that remember the key refuse the panel until they are told to trust the new one."
            checked={isNewKey}
            onChange={(event) => setNewKey(event.currentTarget.checked)}
          />
        </ChangeDialog>
      )}
    </SectionCard>
  )
}
