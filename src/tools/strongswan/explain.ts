/** What lines of charon's log mean, as src/libcharon of strongSwan 5.9 words them; the first that matches a line counts. */
const meanings: readonly (readonly [RegExp, string | null])[] = [
  [/CHILD_SA \S+ established|initiate completed successfully/, null],
  [
    /MAC mismatched|decryption failed|could not decrypt payloads|verification failed.*HASH|PAYLOAD_MALFORMED/,
    'The secrets of the two gateways differ',
  ],
  [
    /no shared key found/,
    'There is no secret for the identity of the other gateway: remote_id has to be what it calls itself',
  ],
  [
    /no matching peer config found|identity .* required|constraint check(?:ing)? failed|found no matching.*ID/,
    'The other gateway calls itself something else than remote_id, or expects another identity of this one',
  ],
  [
    /AUTHENTICATION_FAILED/,
    'The other gateway refuses the secret, or the identity of this one: they have to be the same on both',
  ],
  [
    /TS_UNACCEPTABLE|INVALID_ID_INFORMATION|traffic selectors .* unacceptable|no acceptable traffic selectors|no matching CHILD_SA config found/,
    'The subnets differ: local_subnet has to be what the other gateway has as its remote one, and the reverse',
  ],
  [
    /no IKE config found/,
    'The other gateway asks for another version of IKE, or from an address that no tunnel has',
  ],
  [
    /NO_PROPOSAL_CHOSEN|NO_PROP\b|proposals? (?:unacceptable|inacceptable)|no (?:acceptable|matching) (?:\S+ )?(?:proposal )?found|INVALID_KE|no proposal chosen/i,
    'The gateways have no proposal in common (phase1_proposals, phase2_proposals, dh_group and pfs_enabled have to agree), or the other one has no tunnel to this address',
  ],
  [/INVALID_MAJOR_VERSION|version not supported/i, 'The gateways use different versions of IKE'],
  [
    /giving up after|peer not responding|retransmit \d|unreachable|error writing to socket|timed out/i,
    'The other gateway does not answer: UDP ports 500 and 4500 have to reach it',
  ],
]

/** Explains why the latest negotiation in charon's log failed; undefined if the lines tell nothing, null if it succeeded. */
export function explain(lines: readonly string[]): string | null | undefined {
  for (const line of lines.toReversed()) {
    const found = meanings.find(([pattern]) => pattern.test(line))
    if (found === undefined) continue
    const [, meaning] = found
    return meaning === null ? null : `${meaning} (strongSwan: ${line.trim().slice(0, 300)})`
  }
  return undefined
}
