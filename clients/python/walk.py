"""Walks the generated client through the requests of an application, and reports the steps that work."""

import base64
import json
import re
import sys
import tempfile
from pathlib import Path

import tawthiq
from tawthiq.exceptions import ApiException

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

FORM = {
    "account_type": "lawyer",
    "email": "lawyer@demo.test",
    "phone": "500000002",
    "phone_code": "966",
    "country_id": 682,
    "region_id": 1,
    "city_id": 1,
    "nationality_id": 682,
    "type": 1,
    "gender": "Male",
    "longitude": "46.6753",
    "latitude": "24.7136",
    "first_name": "عبدالله",
    "second_name": "محمد",
    "fourth_name": "القحطاني",
    "about": "محامٍ متخصص في القضايا التجارية.",
    "national_id": "1012345672",
    "identity_type": 1,
    "day": 17,
    "month": 5,
    "year": 1988,
    "degree": 1,
    "general_specialty": 1,
    "accurate_specialty": 102,
    "functional_cases": 1,
    "languages": "[8,40]",
}

works = []
state = {"refresh": "", "link": ""}
configuration = tawthiq.Configuration(host=sys.argv[1])
client = tawthiq.ApiClient(configuration)
profiles = tawthiq.ProfileApi(client)


def step(name):
    def run(function):
        try:
            if function():
                works.append(name)
            else:
                print(f"{name}: it returned another value", file=sys.stderr)
        except Exception as error:  # every failure is a step that does not work
            print(f"{name}: {error!r}"[:2000], file=sys.stderr)

    return run


@step("login")
def login():
    given = tawthiq.LoginRequest(email="lawyer@demo.test", password="Tawthiq-demo-1")
    data = tawthiq.AuthenticationApi(client).login(given).data
    configuration.access_token = data.account.token
    state["refresh"] = data.session.refresh_token
    return len(data.account.token.split(".")) == 3


@step("profile")
def profile():
    return profiles.get_profile().data.user.email == "lawyer@demo.test"


@step("update with file")
def update():
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "photo.png"
        photo.write_bytes(base64.b64decode(PNG))
        given = {"sections": "[101]", "license_no": '{"101":"38/1234"}', "profile_photo": str(photo)}
        user = profiles.update_profile(**FORM, **given).data.user
    state["link"] = user.profile_photo
    return user.languages == [8, 40] and user.sections == [101] and user.profile_photo.startswith("/api/v1/files/")


@step("clear a list")
def clear():
    return profiles.update_profile(**FORM, sections="[]", license_no="{}").data.user.sections == []


@step("422")
def reject():
    try:
        profiles.update_profile(**{**FORM, "city_id": 2147483647})
    except ApiException as error:
        return error.status == 422 and list(json.loads(error.body)["data"]["codes"]) == ["city_id"]
    return False


@step("refresh")
def refresh():
    given = tawthiq.RefreshTokenRequest(refresh_token=state["refresh"])
    before = configuration.access_token
    configuration.access_token = tawthiq.SessionsApi(client).refresh_token(given).data.account.token
    return configuration.access_token != before


@step("download")
def download():
    file_id = re.search(r"files/([^?]+)", state["link"]).group(1)
    return bytes(tawthiq.FilesApi(client).get_file(file_id))[1:4] == b"PNG"


print("Works: " + json.dumps(works))
