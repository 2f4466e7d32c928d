/** The headers of a CSV file that browsers save. */
export const attachment = (name: string) => ({ 'Content-Disposition': `attachment; filename="${name}.csv"` });
