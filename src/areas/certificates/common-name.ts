/** Returns the common name, or else the organisation, of a subject or issuer as Node writes it. */
export const commonName = (subject: string): string =>
  (
    /^(?:CN|O)=(.+)$/m.exec(/^CN=.+$/m.exec(subject)?.[0] ?? subject)?.[1] ?? subject.replaceAll('\n', ', ')
  ).slice(0, 500)
