import { Alert } from '@mantine/core'
import { useState } from 'react'
import { run } from '../../../web/client.ts'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { type VpnAclAnswer, VpnAclQuestion } from '../acl/model.ts'
import { vpnGateway } from './api.ts'

const text = {
  src: { label: 'From', hint: 'User, node, or address of a node' },
  address: { label: 'To the address' },
  port: { label: 'Port' },
}

/** Asks whether a user or node may reach an address and port. */
export function Explain() {
  const [answer, setAnswer] = useState<VpnAclAnswer>()
  return (
    <SectionCard title="Who may reach what">
      <SchemaForm
        schema={VpnAclQuestion}
        text={text}
        submitLabel="Explain"
        onSubmit={async (query: VpnAclQuestion) => setAnswer(await run(vpnGateway.explainVpnAcl({ query })))}
      />
      {answer && (
        <Alert
          mt="md"
          role="status"
          color={answer.allowed ? 'green' : 'red'}
          title={answer.allowed ? 'Allowed' : 'Refused'}
        >
          {answer.reason}.
        </Alert>
      )}
    </SectionCard>
  )
}
