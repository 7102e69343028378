import { Button, Modal, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import type { RecordSetDraft } from '../model.ts'
import { absoluteName, type EditedSet } from './staged.ts'

interface RecordDialogProps {
  readonly zone: string
  /** The set that is edited; absent for a new one. */
  readonly set?: EditedSet
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
export function RecordDialog({ zone, set, onClose, onStage }: RecordDialogProps) {
  const [name, setName] = useState(set?.shownName ?? '')
  const [type, setType] = useState(set?.type ?? 'A')
  const [ttl, setTtl] = useState(set?.ttl ?? 3600)
  const [text, setText] = useState(set?.records.map(({ content }) => content).join('\n') ?? '')
  const disabled = new Set(set?.records.filter((one) => one.disabled).map(({ content }) => content))
  const contents = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const stage = () =>
    onStage({
      name: absoluteName(name, zone),
      type,
      ttl,
      changetype: 'REPLACE',
      records: contents.map((content) => ({ content, disabled: disabled.has(content) })),
    })
  const types = Object.keys(examples)
  return (
    <Modal
      opened
      onClose={onClose}
      title={set === undefined ? 'Add records' : `Edit ${set.shownName} ${set.type}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description={`Relative to ${zone}; @ for the zone itself`}
          value={name}
          disabled={set !== undefined}
          onChange={(event) => setName(event.currentTarget.value)}
          {...(set === undefined && { 'data-autofocus': true })}
        />
        <Select
          label="Type"
          data={types.includes(type) ? types : [...types, type]}
          value={type}
          disabled={set !== undefined}
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
          {...(set !== undefined && { 'data-autofocus': true })}
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
