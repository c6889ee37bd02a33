with

source as (

    select * from {{ source('app', 'orders') }}

),

renamed as (

    select
        ---------- ids
        "netSuiteId" as netsuite_id,
        "ChangeSetID" as changeset_id,

        ---------- strings
        "bPMc" as bpmc,
        "githubUrl" as github_url,
        "GitHubURL" as github_url_2,

        ---------- semi-structured
        "productIDs" as product_ids

    from source

)

select * from renamed
