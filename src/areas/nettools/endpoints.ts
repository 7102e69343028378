import { at, local, styled } from '../../core/endpoint.ts'
import { DiskFull, StoreFailed } from '../../core/problem.ts'
import { awaited, bytes, data, events, flat, succeeded, success } from '../../core/reply.ts'
import { fetchProblems } from '../../host/fetch/index.ts'
import { InstallFailed } from '../../host/packages.ts'
import { CaptureRefused, FilterInvalid, OutputUnreadable } from '../../tools/tcpdump/index.ts'
import { checkPort, PortAsked, PortState } from '../system/index.ts'
import { endpoint } from './context.ts'
import * as history from './history.ts'
import { installingHttping } from './install-httping.ts'
import {
  CaptureDraft,
  CapturePath,
  CaptureStarted,
  CaptureStatus,
  Entries,
  EntryDraft,
  FieldPath,
  HttpingDraft,
  HttpingReport,
  HttpingStatus,
  Interfaces,
  Ok,
  Packets,
  PingDraft,
  PingReport,
  ProbeEvent,
  TraceDraft,
  TraceReport,
} from './model.ts'
import * as probes from './probes.ts'
import {
  CaptureEmpty,
  CaptureRunning,
  CaptureUnknown,
  FieldInvalid,
  InputInvalid,
  ValueMissing,
} from './problems.ts'

const timeoutMs = 120_000
const ofSession = endpoint.with({ params: CapturePath })
const ofField = endpoint.with({ params: FieldPath, errors: 'flat' })
const streamed = 'The last event has the type end, or error. Leaving the stream ends the program.'
const ownHistory = local('what a user typed')

export const listInterfaces = endpoint({
  method: 'GET',
  path: '/interfaces',
  summary: 'List the network interfaces of this host',
  effect: 'reads',
  reply: data(Interfaces),
  run: ({ nettools }) => probes.listInterfaces(nettools),
})

export const ping = endpoint({
  method: 'POST',
  path: '/ping',
  summary: 'Send ICMP echo requests to a host',
  effect: 'probes',
  body: PingDraft,
  reply: data(PingReport),
  timeoutMs,
  throws: { bad_request: InputInvalid },
  run: ({ nettools, body, ...request }) => probes.ping(nettools, body, request),
})

export const streamPing = endpoint({
  method: 'POST',
  path: '/ping/stream',
  summary: 'Send ICMP echo requests to a host, and tell each line of ping as it comes',
  description: streamed,
  effect: 'probes',
  body: PingDraft,
  reply: events(ProbeEvent),
  throws: { bad_request: InputInvalid },
  run: ({ nettools, body, ...request }) => probes.streamPing(nettools, body, request),
})

export const traceroute = endpoint({
  method: 'POST',
  path: '/traceroute',
  summary: 'Trace the route to a host',
  effect: 'probes',
  body: TraceDraft,
  reply: data(TraceReport),
  timeoutMs,
  throws: { bad_request: InputInvalid },
  run: ({ nettools, body, ...request }) => probes.trace(nettools, body, request),
})

export const streamTraceroute = endpoint({
  method: 'POST',
  path: '/traceroute/stream',
  summary: 'Trace the route to a host, and tell each line of traceroute as it comes',
  description: streamed,
  effect: 'probes',
  body: TraceDraft,
  reply: events(ProbeEvent),
  throws: { bad_request: InputInvalid },
  run: ({ nettools, body, ...request }) => probes.streamTrace(nettools, body, request),
})

export const portcheck = endpoint({
  method: 'POST',
  path: '/portcheck',
  summary: 'Tell whether a port of a host answers this host',
  effect: 'probes',
  body: PortAsked,
  reply: data(PortState),
  throws: { bad_request: fetchProblems.AddressRefused },
  run: ({ nettools, body, caller }) => checkPort(nettools.system, body, caller),
})

export const httping = endpoint({
  method: 'POST',
  path: '/httping',
  summary: 'Measure how long a web server takes to answer',
  effect: 'probes',
  body: HttpingDraft,
  reply: data(HttpingReport),
  timeoutMs,
  throws: { bad_request: InputInvalid },
  run: ({ nettools, body, ...request }) => probes.httping(nettools, body, request),
})

export const streamHttping = endpoint({
  method: 'POST',
  path: '/httping/stream',
  summary: 'Request a web server several times, and tell each line of httping as it comes',
  description: streamed,
  effect: 'probes',
  body: HttpingDraft,
  reply: events(ProbeEvent),
  throws: { bad_request: InputInvalid },
  run: ({ nettools, body, ...request }) => probes.streamHttping(nettools, body, request),
})

export const installHttping = endpoint({
  method: 'POST',
  path: '/httping/install',
  summary: 'Install httping with the package manager of the host',
  effect: 'changes',
  category: local('programs are installed on each host'),
  reply: awaited(installingHttping, { status: 200, shape: 'data' }),
  throws: { install_failed: at(500, InstallFailed, DiskFull) },
  run: () => ({}),
})

export const httpingStatus = endpoint({
  method: 'GET',
  path: '/httping/status',
  summary: 'Tell whether httping is installed',
  effect: 'reads',
  reply: data(HttpingStatus),
  run: async ({ nettools }) => ({ installed: (await nettools.tools.httping.detect()).present }),
})

export const startCapture = endpoint({
  method: 'POST',
  path: '/capture/start',
  summary: 'Capture packets of an interface; ends after its number of packets or 60 seconds',
  effect: 'probes',
  body: CaptureDraft,
  reply: data(CaptureStarted),
  throws: {
    bad_request: [InputInvalid, FilterInvalid],
    capture_running: CaptureRunning,
    start_error: CaptureRefused,
    pipe_error: OutputUnreadable,
  },
  run: ({ nettools, body, signal }) => probes.startCapture(nettools, body, { signal }),
})

export const listPackets = ofSession({
  method: 'GET',
  path: '/capture/{id}/packets',
  summary: 'List the packets of the last capture so far',
  effect: 'reads',
  reply: data(Packets),
  throws: { not_found: CaptureUnknown },
  run: ({ nettools, params }) => [...nettools.captures.packets(params.id)],
})

export const downloadCapture = ofSession({
  method: 'GET',
  path: '/capture/{id}/pcap',
  summary: 'Download the packets of the last capture as a file for Wireshark, once it has ended',
  effect: 'reads',
  reply: bytes('application/vnd.tcpdump.pcap'),
  throws: { not_found: [CaptureUnknown, CaptureEmpty], capture_running: CaptureRunning },
  run: ({ nettools, params }) => nettools.captures.file(params.id),
})

export const captureStatus = ofSession({
  method: 'GET',
  path: '/capture/{id}/status',
  summary: 'Tell whether the last capture still runs',
  effect: 'reads',
  reply: data(CaptureStatus),
  throws: { not_found: CaptureUnknown },
  run: ({ nettools, params }) => nettools.captures.status(params.id),
})

export const stopCapture = ofSession({
  method: 'POST',
  path: '/capture/{id}/stop',
  summary: 'End a capture; one that has ended stays as it is',
  effect: 'probes',
  reply: succeeded,
  throws: { not_found: CaptureUnknown },
  run: async ({ nettools, params }) => {
    await nettools.captures.stop(params.id)
    return success
  },
})

export const listEntries = ofField({
  method: 'GET',
  path: '/history/{field}',
  summary: 'List what you typed into a field, the newest first',
  effect: 'reads',
  reply: data(Entries),
  throws: { bad_request: FieldInvalid, db_error: styled('flat', StoreFailed) },
  run: ({ nettools, params, ...request }) => history.listEntries(nettools, params.field, request),
})

export const addEntry = ofField({
  method: 'POST',
  path: '/history/{field}',
  summary: 'Put a value at the top of the history of a field, which has ten at most',
  effect: 'changes',
  category: ownHistory,
  body: EntryDraft,
  reply: flat(Ok),
  throws: { bad_request: [FieldInvalid, ValueMissing] },
  run: ({ nettools, params, body, ...request }) =>
    history.addEntry(nettools, params.field, body.value, request),
})

export const clearEntries = ofField({
  method: 'DELETE',
  path: '/history/{field}',
  summary: 'Clear the history of a field',
  effect: 'destroys',
  category: ownHistory,
  reply: flat(Ok),
  throws: { bad_request: FieldInvalid },
  run: ({ params, ...request }) => history.clearEntries(params.field, request),
})
