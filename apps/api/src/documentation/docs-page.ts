/** Loads nothing from other hosts. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Leadback API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<noscript><p>This page needs JavaScript. <a href="/openapi.json">openapi.json</a> has the same content for any OpenAPI tool.</p></noscript>
<main id="docs"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`;

export const docsStyle = `
body { margin: 0; background: #fff }
noscript p { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto; padding: 0 1rem }
.swagger-ui, .swagger-ui :is(.info .title, .opblock-tag, .markdown, .renderedMarkdown, p, li, td, h1, h2, h3) { font-family: system-ui, sans-serif }
.swagger-ui .wrapper { max-width: 60rem }
.swagger-ui .info { margin: 3rem 0 2rem }
.swagger-ui .info .title { font-size: clamp(1.6rem, 5vw, 2.2rem); letter-spacing: -.02em }
.swagger-ui .info .renderedMarkdown :is(p, li) { font-size: 1rem; line-height: 1.65; max-width: 44rem; margin-inline: 0; color: #24292f }
.swagger-ui .info .renderedMarkdown h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: 1.25rem; border-top: 1px solid #e3e6ea }
.swagger-ui :is(.markdown, .renderedMarkdown) :is(code, pre) { color: #24292f; background: #f0f2f5; font-weight: 500; border-radius: .3em }
.swagger-ui :is(.markdown, .renderedMarkdown) pre { overflow-x: auto; padding: 1rem }
.swagger-ui :is(.markdown, .renderedMarkdown) pre code { white-space: pre; padding: 0; background: none }
.swagger-ui .opblock-summary-path { overflow-wrap: anywhere }
.swagger-ui .response-col_links { display: none }
.swagger-ui .scheme-container { box-shadow: none; background: #f7f8fa }
`;

export const docsScript = `
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;
