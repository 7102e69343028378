import { Button, Modal, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import type { RecordSetDraft } from '../model.ts'
import { absoluteName, linesOf } from './staged.ts'

interface RecordDialogProps {
  readonly zone: string
  readonly onClose: () => void
  readonly onStage: (draft: RecordSetDraft) => void
}

const examples: Readonly<Record<string, string>> = {
  A: '192.0.2.1',
  AAAA: '2001:db8::1',
  ALIAS: 'www.example.net.',
  CAA: '0 issue "letsencrypt.org"',
  CNAME: 'www.example.net.',
  DS: '12345 13 2 and the digest in hexadecimal digits',
  HTTPS: '1 . alpn=h2',
  MX: '10 mail.example.net.',
  NAPTR: '100 10 "U" "E2U+sip" "!^.*$!sip:info@example.com!" .',
  NS: 'ns1.example.net.',
  PTR: 'host.example.net.',
  SOA: 'ns1.example.net. hostmaster.example.net. 1 10800 3600 604800 3600',
  SRV: '10 5 5060 sip.example.net.',
  SSHFP: '4 2 and the fingerprint in hexadecimal digits',
  TLSA: '3 1 1 and the digest in hexadecimal digits',
  TXT: 'v=spf1 mx -all',
}

/** Asks for the records of one name and type, one to a line, and stages them. */
export function RecordDialog({ zone, onClose, onStage }: RecordDialogProps) {
  const [name, setName] = useState('')
  const [type, setType] = useState('A')
  const [ttl, setTtl] = useState(3600)
  const [text, setText] = useState('')
  const contents = linesOf(text)
  const stage = () =>
    onStage({
      name: absoluteName(name, zone),
      type,
      ttl,
      changetype: 'REPLACE',
      records: contents.map((content) => ({ content })),
    })
  return (
    <Modal
      opened
      onClose={onClose}
      title="Add records"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description={`Relative to ${zone}; @ for the zone itself`}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Select
          label="Type"
          data={Object.keys(examples)}
          value={type}
          allowDeselect={false}
          searchable
          onChange={(value) => setType(value ?? 'A')}
        />
        <NumberInput
          label="TTL (seconds)"
          min={0}
          max={2_147_483_647}
          value={ttl}
          onChange={(value) => setTtl(Number(value))}
        />
        <Textarea
          label="Records"
          description="One to a line"
          placeholder={examples[type] ?? ''}
          autosize
          minRows={3}
          maxRows={12}
          styles={{ input: { fontFamily: 'monospace' } }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Text size="xs" c="dimmed">
          Nothing is changed before you review and apply the changes.
        </Text>
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={contents.length === 0} onClick={stage}>
            Stage
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
