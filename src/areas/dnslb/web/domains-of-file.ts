/** The domains of a list: one per line, or lines of a hosts file, whose address is left out; comments are too. */
export function domainsOfFile(text: string): string {
  const domains = text.split('\n').flatMap((line) => {
    const parts = line
      .replace(/[#!;].*/, '')
      .trim()
      .split(/\s+/)
    const domain = (parts.length > 1 ? parts[1] : parts[0])?.replace(/^\|\|/, '').replace(/\^$/, '') ?? ''
    return domain.includes('.') && !/^[\d.]+$/.test(domain) ? [domain] : []
  })
  return [...new Set(domains)].join('\n')
}

/** A name for the list of a file, as lists may have. */
export const listNameOf = (fileName: string): string =>
  fileName
    .toLowerCase()
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^a-z]/g, '')
    .slice(0, 10)
